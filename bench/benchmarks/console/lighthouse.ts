import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { failuresOf, isQuick, median, short, type Check } from '../../harness/figures.js'
import { installPackage } from '../../harness/install.js'
import { browserPath, type Scene } from './browser.js'

const DIRECTORY = join('bench', 'lighthouse')

interface Report {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number }>
}

const AUDITS = {
  'largest contentful paint': 'largest-contentful-paint',
  'blocked for': 'total-blocking-time',
  'layout shift': 'cumulative-layout-shift',
  bytes: 'total-byte-weight',
}

/** A page of a site with the widget's one line and without it, by turns, as Lighthouse measures a phone on a slow network. */
export async function lighthouse({ bench: { url }, office: { service } }: Scene): Promise<Check> {
  const version = await installPackage(DIRECTORY, 'lighthouse')
  const site = createServer(({ url: path }, response) => {
    const line = path === '/with' ? `<script async src="${url}/widget.js" data-service="${service}"></script>` : ''
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(PAGE.replace('</body>', `${line}</body>`))
  }).listen(0, '127.0.0.1')
  const reports: Record<'with' | 'without', Report[]> = { with: [], without: [] }
  await once(site, 'listening')
  try {
    const { port } = site.address() as AddressInfo
    for (let round = 0; round < (isQuick() ? 1 : 3); round++) {
      for (const which of ['without', 'with'] as const)
        reports[which].push(await measure(`http://127.0.0.1:${port}/${which}`))
    }
  } finally {
    site.close()
  }
  const score = (which: 'with' | 'without', category: string): number =>
    100 * median(reports[which].map(({ categories }) => categories[category]!.score ?? 0))
  const value = (which: 'with' | 'without', audit: string): string =>
    short(median(reports[which].map(({ audits }) => audits[audit]!.numericValue ?? 0)))
  const lost = (category: string): number => score('without', category) - score('with', category)
  return {
    name: `Lighthouse ${version} of a page with the widget and without it`,
    aim: 'no point less for performance, accessibility or best practices',
    failures: failuresOf({
      performance: lost('performance') <= 1,
      accessibility: lost('accessibility') <= 0,
      'best practices': lost('best-practices') <= 0,
    }),
    found: (['with', 'without'] as const).map((which) => {
      const scores = ['performance', 'accessibility', 'best-practices'].map((name) => `${name} ${score(which, name)}`)
      const values = Object.entries(AUDITS).map(([name, audit]) => `${name} ${value(which, audit)}`)
      return `${which} it: ${[...scores, ...values].join(', ')}`
    }),
    how: 'Medians of three by turns: a phone (CPU at a quarter, simulated slow 4G), milliseconds, bytes. The page is of another origin.',
  }
}

async function measure(page: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(DIRECTORY, 'node_modules', 'lighthouse', 'cli', 'index.js'),
      page,
      '--output=json',
      '--quiet',
      '--only-categories=performance,accessibility,best-practices',
      '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
    ],
    { env: { ...process.env, CHROME_PATH: browserPath() }, maxBuffer: 50_000_000 },
  )
  return JSON.parse(stdout) as Report
}

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Harbour Boats</title>
<meta name="description" content="Boats and berths."><link rel="icon" href="data:,"></head>
<body><main><h1>Harbour Boats</h1><p>${'Sheltered berths, heated, with shore power. '.repeat(40)}</p></main></body>
</html>`
