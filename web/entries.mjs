import { transform } from 'esbuild'
import { readFile } from 'node:fs/promises'

/** A style sheet as text, for a shadow root. */
const cssText = {
  name: 'css-text',
  setup: (build) =>
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true })
      return { contents: code.trim(), loader: 'text' }
    }),
}

/**
 * The programs of the pages. The names of the files hold a hash, but for those that other sites write into their pages (`isStable`).
 * Entries that are not there are passed over.
 */
export const ENTRIES = [
  { name: 'console', path: 'console/main.tsx' },
  { name: 'style', path: 'console/style/console.css' },
  { name: 'worker', path: 'console/push/worker.ts' },
  // Beside `web/`, from where its parts come: addresses in it are relative to its own.
  {
    name: 'widget',
    path: 'widget/loader.ts',
    isStable: true,
    options: {
      chunkNames: 'web/[name]-[hash]',
      plugins: [cssText],
      // Declared fields weigh more than what constructors assign, and do the same here.
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    },
  },
  { name: 'demo', path: '../examples/widget.css' },
]

/** Pages, in which `{{name}}` stands for the address of an entry. */
export const PAGES = {
  console: 'console/console.html',
  'widget-demo': '../examples/widget.html',
  'widget-help': 'widget/help.html',
}

/** Files that are served as they are. */
export const STATIC = { 'icon.svg': 'console/icon.svg', 'icon-dot.svg': 'console/icon-dot.svg' }

/** The first parts of the paths below `/console` that are pages, as `console/route.ts` has them; the server answers others by 404. */
export const CONSOLE_PATHS = [
  '',
  'queue',
  'mine',
  'inbox',
  'open',
  'waiting',
  'active',
  'snoozed',
  'undelivered',
  'closed',
  'v',
  'c',
  'search',
  'contacts',
  'settings',
  'admin',
  'reports',
  'forgot',
  'invitation',
  'reset',
]
