/** How TypeScript is transpiled where it is not type-checked: in tests, in processes that they start, and in `npm run dev`. */
export const swcOptions = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    // Node refuses JSON that is imported without saying so.
    experimental: { keepImportAttributes: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
}
