// Builds the pages that the server serves into `dist/public`: files whose names hold a hash of their content, gzipped, and a
// manifest of them for `src/api/http/web-files.ts`. Skipped when nothing that goes in has changed since.
import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CONSOLE_PATHS, ENTRIES, PAGES, STATIC } from './entries.mjs'
import { pageDocuments } from './page-documents.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WEB = join(ROOT, 'web')
const CLIENT = join(ROOT, 'client/src')
const OUT = join(ROOT, 'dist/public')
/** Also read. */
const EXAMPLES = ['widget.html', 'widget.css']
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

// A process of its own: it ends as soon as nothing has changed.
execFileSync(process.execPath, [join(WEB, 'generate.mjs'), '--built'], { stdio: 'inherit' })
const hash = await hashOfInputs()
const built = await readFile(join(OUT, 'manifest.json'), 'utf8').then(JSON.parse, () => null)
if (built?.inputs !== hash) await run()

async function run() {
  const since = performance.now()
  const files = new Map()
  const entries = ENTRIES.filter(({ path }) => existsSync(join(WEB, path)))
  const urls = new Map()
  const preloads = new Map()
  const documents = {}
  for (const { name, path, isStable, options } of entries) {
    const { outputFiles, metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: { [name]: join(WEB, path) },
      entryNames: isStable ? '[name]' : '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      outdir: OUT,
      bundle: true,
      write: false,
      minify: true,
      metafile: true,
      format: 'esm',
      conditions: ['@switchboard/source'],
      splitting: true,
      target: ['es2022', 'chrome120', 'firefox121', 'safari17.4'],
      legalComments: 'none',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      charset: 'utf8',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'warning',
      ...options,
      plugins: [...(options?.plugins ?? []), pageDocuments(documents)],
    })
    for (const { path: output, contents } of outputFiles) {
      const isEntry = isStable === true && basename(output) === `${name}.js`
      files.set(relative(OUT, output).replace(/^web\//, ''), {
        contents: isEntry ? scriptOf(contents) : contents,
        isStable: isEntry,
      })
    }
    const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === join('web', path))
    urls.set(name, `/web/${basename(entry[0])}`)
    preloads.set(name, importsOf(entry[0], metafile.outputs))
  }
  const sprite = await readFile(join(WEB, 'shared/icons.svg'), 'utf8')
  const pages = {}
  for (const [name, path] of Object.entries(PAGES)) {
    if (!existsSync(join(WEB, path))) continue
    const page = (await readFile(join(WEB, path), 'utf8'))
      .replace('<!-- icons -->', () => sprite.trim())
      .replaceAll(/<!-- imports of ([\w-]+) -->/g, (_whole, entry) =>
        preloads
          .get(entry)
          .map((file) => `<link rel="modulepreload" href="/web/${basename(file)}">`)
          .join('\n'),
      )
      .replaceAll(/\{\{([\w-]+)\}\}/g, (_whole, entry) => urls.get(entry))
    pages[name] = `${name}.html`
    files.set(pages[name], { contents: Buffer.from(page), isStable: true })
  }
  for (const [name, path] of Object.entries(STATIC)) {
    files.set(name, { contents: await readFile(join(WEB, path)), isStable: true })
  }
  await writeAll(files, { pages, worker: basename(urls.get('worker')), documents })
  process.stdout.write(`web: ${files.size} files in ${Math.round(performance.now() - since)} ms\n`)
}

/** Lists what a file imports before it runs, and what that imports: the page asks for all of it at once. */
function importsOf(file, outputs, found = new Set()) {
  for (const { path, kind } of outputs[file].imports) {
    if (kind !== 'import-statement' || found.has(path)) continue
    found.add(path)
    importsOf(path, outputs, found)
  }
  return [...found]
}

/**
 * A module's code as a script of other people's pages: its names stay its own, and what it imports is beside it, for which
 * a script of another origin has to say where it is itself.
 */
function scriptOf(contents) {
  const text = String(Buffer.from(contents)).replaceAll(/\bimport\((".*?")\)/g, 'import(new URL($1,self_))')
  return Buffer.from(`(()=>{const self_=document.currentScript.src;${text}})()`)
}

/** Into a folder beside, which then takes the place of the last build at once: a server may be reading. */
async function writeAll(files, listed) {
  const next = `${OUT}.${process.pid}`
  await mkdir(next, { recursive: true })
  const manifest = { inputs: hash, files: {}, ...listed, consolePaths: CONSOLE_PATHS }
  await Promise.all(
    [...files].map(async ([name, { contents, isStable }]) => {
      await writeFile(join(next, `${name}.gz`), await promisify(gzip)(contents, { level: 9 }))
      const etag = createHash('sha256').update(contents).digest('base64url').slice(0, 22)
      manifest.files[name] = { type: TYPES[extname(name)], etag, bytes: contents.length, ...(isStable && { isStable }) }
    }),
  )
  await writeFile(join(next, 'manifest.json'), JSON.stringify(manifest))
  await rm(OUT, { recursive: true, force: true })
  await rename(next, OUT)
}

/** Everything that the output depends on: the sources, and the packages by the lock file. */
async function hashOfInputs() {
  const digest = createHash('sha256')
  const folders = await Promise.all(
    [WEB, CLIENT].map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  )
  const paths = folders
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(EXAMPLES.map((name) => join(ROOT, 'examples', name)))
    .toSorted()
  for (const path of [join(ROOT, 'package-lock.json'), ...paths]) {
    digest
      .update(`${relative(ROOT, path)}\0`)
      .update(await readFile(path))
      .update('\0')
  }
  return digest.digest('hex')
}
