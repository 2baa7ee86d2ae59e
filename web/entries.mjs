/**
 * What is built. The names of the files hold a hash, but for those that other sites write into their pages (`isStable`).
 * Entries that are not there are passed over.
 */
export const ENTRIES = [
  { name: 'console', path: 'console/main.tsx' },
  { name: 'style', path: 'console/style/console.css' },
]

/** Pages, in which `{{name}}` stands for the address of an entry. */
export const PAGES = { console: 'console/console.html' }

/** Files that are served as they are. */
export const STATIC = { 'icon.svg': 'console/icon.svg', 'icon-dot.svg': 'console/icon-dot.svg' }
