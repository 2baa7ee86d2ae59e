import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from '@swc/core'
import { swcOptions } from '../../swc.config.js'

/**
 * Lets plain Node import the TypeScript sources where jest does not: in its global set-up, and in processes that tests
 * start.
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
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...swcOptions, filename, swcrc: false })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
