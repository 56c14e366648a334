# Everything that is needed to build, and nothing of it in the image that runs.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm run package -- /package

FROM node:24-bookworm-slim
# The account that the image of Node brings; the folder of the key and, without DATABASE_URL, of the private database.
RUN install -d -o node -g node /var/lib/tipledger
COPY --from=build --chown=root:root /package /app
WORKDIR /app
USER node
ENV NODE_ENV=production TIPLEDGER_DATA=/var/lib/tipledger HOST=0.0.0.0 PORT=3000
VOLUME /var/lib/tipledger
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 CMD ["node", "tipledger.mjs", "healthy"]
CMD ["node", "--max-semi-space-size=32", "tipledger.mjs"]
