import { createElement } from 'react';
import type { ComponentProps } from 'react';

type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];

type LucideDrawingProps = Omit<ComponentProps<'svg'>, 'ref'> & {
  ref?: unknown;
  icon: { size?: number; node: readonly Shape[] };
  size?: number | string;
};

/** Stands in every build for the component that lucide draws its icons with (next.config.mjs, 0027): that one is for the browser, so that each icon of a page would be hydrated there by a library. */
export default function LucideDrawing({ icon, size = 24, strokeWidth = 2, ref: _, ...rest }: LucideDrawingProps) {
  const extent = icon.size ?? 24;
  const own = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: size,
    height: size,
    viewBox: `0 0 ${extent} ${extent}`,
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
  } as const;
  return createElement(
    'svg',
    { ...own, ...rest },
    icon.node.map(([tag, attributes]) => createElement(tag, attributes)),
  );
}
