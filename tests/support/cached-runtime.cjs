const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/**
 * Compiles modules so that V8 finds them in its cache when the next test file of the worker loads them: Jest gives a callback for `import()`, and
 * with that V8 keeps nothing. A source that calls `import()`, or does not parse as a script, is left to Jest.
 */
module.exports = class CachedRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    // A part of Jest that may be named otherwise one day: tests are only slower then.
    if (typeof executor?.compile !== 'function') return;
    const compile = executor.compile.bind(executor);
    const start = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      if (context === null || /\bimport\s*\(/.test(source)) return compile(source, filename);
      try {
        return new vm.Script(`${start}${source}\n})`, { filename, columnOffset: -start.length }).runInContext(context);
      } catch {
        return compile(source, filename);
      }
    };
  }
};
