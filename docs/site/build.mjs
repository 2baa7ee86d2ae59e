// `npm run docs:build`: makes a site of the pages in dist/docs, or in the folder that is given, with a search of its own. It opens
// from a disk as well as from a server.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import MarkdownIt from 'markdown-it'
import MiniSearch from 'minisearch'

const OUT = process.argv[2] ?? 'dist/docs'
const HERE = import.meta.dirname
const PAGES = listFiles().filter((path) => /^(?:[A-Z]+|client\/README|docs\/.*)\.md$/.test(path) && existsSync(path))
const INDEX = 'README.md'

/** Lists what git knows or would know; in an image, where there is no git, the folders of the pages. */
function listFiles() {
  if (existsSync('.git')) {
    const options = ['ls-files', '--cached', '--others', '--exclude-standard']
    return execFileSync('git', options, { encoding: 'utf8' }).split('\n')
  }
  const pages = readdirSync('docs', { recursive: true }).map((path) => posix.join('docs', path))
  return [...readdirSync('.'), 'client/README.md', ...pages]
}

const targetOf = (page) => (page === INDEX ? 'index.html' : page.replace(/\.md$/, '.html'))
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
/** The name of a heading in addresses, as GitHub has it, so that links hold in both places. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

const markdown = new MarkdownIt({ html: true, linkify: false })

/** Reads a page. @returns its title, its HTML, the text of each section for the search, and the files that it links to */
function read(page) {
  const tokens = markdown.parse(readFileSync(page, 'utf8'), {})
  const sections = [{ id: '', heading: '', text: '' }]
  const slugs = new Map()
  const files = new Set()
  let title
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = plainOf(tokens[index + 1])
      const slug = slugOf(heading)
      const count = slugs.get(slug) ?? 0
      slugs.set(slug, count + 1)
      const id = count === 0 ? slug : `${slug}-${count}`
      token.attrSet('id', id)
      title ??= heading
      sections.push({ id, heading, text: '' })
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      sections.at(-1).text += `${plainOf(token)} `
    } else if (token.type === 'fence') sections.at(-1).text += `${token.content} `
    for (const child of token.children ?? []) redirect(child, page, files)
  }
  return { title: title ?? page, html: markdown.renderer.render(tokens, markdown.options, {}), sections, files }
}

const plainOf = ({ children }) =>
  (children ?? []).map(({ type, content }) => (/break$/.test(type) ? ' ' : content)).join('')

/** Turns a link to a page into one to its HTML; what else is linked is copied, and a folder is named and not linked. */
function redirect(token, page, files) {
  const name = token.type === 'image' ? 'src' : 'href'
  const given = token.attrGet?.(name)
  if (!given || /^(?:[a-z]+:|#)/.test(given)) return
  const [path, anchor] = given.split('#')
  const file = posix.normalize(posix.join(posix.dirname(page), path))
  const target = PAGES.includes(file) ? targetOf(file) : file
  const isFile = existsSync(file) && statSync(file).isFile()
  if (!PAGES.includes(file) && isFile) files.add(file)
  const relative = posix.relative(posix.dirname(targetOf(page)), target)
  if (isFile) token.attrSet(name, relative + (anchor ? `#${anchor}` : ''))
  else token.attrs = token.attrs.filter(([key]) => key !== name)
}

/** The table of docs/README.md is the order of all pages. */
function menuOf() {
  const rows = readFileSync('docs/README.md', 'utf8').matchAll(/^\| (?:\*\*(.+?)\*\*|\[(.+?)\]\((.+?)\)) \|/gm)
  return [...rows].map(([, group, name, path]) => (group ? { group } : { name, page: posix.join('docs', path) }))
}

/** Lists the pages as https://llmstxt.org has it: what there is, with links to the sources of the pages. */
function forPrograms() {
  const about = JSON.parse(readFileSync('package.json', 'utf8')).description
  const rows = readFileSync('docs/README.md', 'utf8').matchAll(
    /^\| (?:\*\*(.+?)\*\*|\[(.+?)\]\((.+?)\)) \| *(.*?) *\|$/gm,
  )
  const lines = [...rows].map(([, group, name, path, says]) =>
    group ? `\n## ${group}\n` : `- [${name}](/docs/${posix.join('docs', path)}): ${says}`,
  )
  return `# Switchboard

> ${about}

- [/schema.graphql](/schema.graphql): the GraphQL schema, with a description of everything
- [/v2/openapi.json](/v2/openapi.json): the REST interface, with recorded examples
- [/docs/errors](/docs/errors): every reason of an error, as JSON
${lines.join('\n')}
`
}

const template = readFileSync(join(HERE, 'page.html'), 'utf8')
const menu = menuOf()
const documents = []
rmSync(OUT, { recursive: true, force: true })
for (const page of PAGES) {
  const { title, html, sections, files } = read(page)
  const target = targetOf(page)
  const root = posix.relative(posix.dirname(target), '.') || '.'
  const items = menu.map(({ group, name, page: at }) =>
    group
      ? `<h2>${escape(group)}</h2>`
      : `<a href="${root}/${targetOf(at)}"${at === page ? ' aria-current="page"' : ''}>${escape(name)}</a>`,
  )
  const parts = { title: escape(title), root, menu: items.join('\n'), content: html }
  mkdirSync(dirname(join(OUT, target)), { recursive: true })
  writeFileSync(
    join(OUT, target),
    template.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name]),
  )
  // For programs, see llms.txt.
  copyFileSync(page, join(OUT, page))
  for (const file of files) {
    mkdirSync(dirname(join(OUT, file)), { recursive: true })
    copyFileSync(file, join(OUT, file))
  }
  for (const { id, heading, text } of sections) {
    if (!heading && !text.trim()) continue
    documents.push({ id: documents.length, at: target + (id ? `#${id}` : ''), title, heading, text })
  }
}
writeFileSync(join(OUT, 'llms.txt'), forPrograms())
const search = new MiniSearch({ fields: ['title', 'heading', 'text'], storeFields: ['at', 'title', 'heading'] })
search.addAll(documents)
writeFileSync(join(OUT, 'search-index.js'), `window.searchIndex = ${JSON.stringify(JSON.stringify(search))}\n`)
copyFileSync(join('node_modules', 'minisearch', 'dist', 'umd', 'index.js'), join(OUT, 'minisearch.js'))
for (const file of ['site.css', 'search.js']) copyFileSync(join(HERE, file), join(OUT, file))
process.stdout.write(`${PAGES.length} pages, ${documents.length} sections in ${OUT}\n`)
