import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformSync, version } from '@swc/core'
import { swcOptions } from '../../swc.config.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/switchboard-typescript')
const SETTINGS = JSON.stringify([version, swcOptions])

/** Source maps of the loaded modules, by the module's URL. */
export const sourceMaps = new Map()

/**
 * Lets plain Node import the TypeScript sources: in tests (`runner/`), in jest's global set-up, and in processes that tests
 * start. What is transpiled is kept on disk.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.startsWith('file:')) {
      const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
      if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true }
    }
    // The package of `client/` by its sources, which need no build.
    return next(specifier, { ...context, conditions: ['@switchboard/source', ...context.conditions] })
  },
  load(url, context, next) {
    const [file] = url.split('?')
    if (!file.startsWith('file:') || !file.endsWith('.ts')) return next(url, context)
    const { code, map } = transpiled(fileURLToPath(file))
    sourceMaps.set(url, map)
    return { format: 'module', source: `${code}\n//# sourceMappingURL=${pathToFileURL(map).href}`, shortCircuit: true }
  },
})

function transpiled(path) {
  const source = readFileSync(path, 'utf8')
  const head = `// ${hash('sha256', SETTINGS + source)}\n`
  const kept = join(CACHE, `${relative(ROOT, path)}.js`)
  const map = `${kept}.map`
  try {
    const code = readFileSync(kept, 'utf8')
    if (code.startsWith(head)) return { code, map }
  } catch {
    // Not there yet.
  }
  const options = {
    ...swcOptions,
    filename: path,
    sourceFileName: pathToFileURL(path).href,
    sourceMaps: true,
    swcrc: false,
  }
  const output = transformSync(source, options)
  const code = head + output.code
  mkdirSync(dirname(kept), { recursive: true })
  // The head is a line more.
  writeWhole(map, output.map.replace('"mappings":"', '"mappings":";'))
  writeWhole(kept, code)
  return { code, map }
}

/** Another process that writes the same reads one or the other. */
function writeWhole(path, text) {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, path)
}
