import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from '@swc/core'

/**
 * Lets plain Node import the TypeScript sources where jest does not: in its global set-up, and in processes that tests
 * start. The same compiler options as in jest.config.js.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.startsWith('file:')) {
      const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
      if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true }
    }
    return next(specifier, context)
  },
  load(url, context, next) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
    const filename = fileURLToPath(url)
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      filename,
      swcrc: false,
      jsc: {
        target: 'es2024',
        // Node refuses JSON that is imported without saying so.
        experimental: { keepImportAttributes: true },
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
      module: { type: 'es6' },
      sourceMaps: 'inline',
    })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
