import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { buildWeb, eventually, hasBrowser, launch, openTab } from './support/browser.js'
import { signIn, startOffice, type TestOffice } from './support/office.js'

const withBrowser = hasBrowser ? describe : describe.skip
const ROWS = 10_000
/** Rows in the document, however many wait. */
const DRAWN_MAX = 80

withBrowser('a queue of 10,000', () => {
  let office: TestOffice
  let browser: Browser
  beforeAll(async () => {
    buildWeb()
    office = await startOffice()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await office?.close()
  })

  it('comes in pages, is counted whole, and draws only the rows near the window', async () => {
    const id = await office.arrive('Waiting', 'one of many')
    const sql = office.server.database
    const [{ columns }] = (await sql.query<{ columns: string }>(
      `select string_agg(column_name, ', ') as columns from information_schema.columns
       where table_name = 'conversation' and is_generated = 'NEVER'`,
    )) as [{ columns: string }]
    await sql.query(
      `insert into conversation (${columns})
       select ${columns.replaceAll(/\w+/g, 'copy.$&')} from conversation c, generate_series(1, $2::int - 1) n, lateral jsonb_populate_record(
         null::conversation, to_jsonb(c) || jsonb_build_object('id', gen_random_uuid(), 'slug', 'many-' || n,
           'preview', 'number ' || n, 'queued_at', c.queued_at + make_interval(secs => n))) as copy
       where c.id = $1`,
      [id, ROWS],
    )
    const { page, context, faults } = await openTab(browser, { url: `${office.url}/console` })
    page.setDefaultTimeout(60_000)
    await signIn(page, office.ann)
    await page.getByText(`${ROWS} waiting`, { exact: true }).first().waitFor()
    const rows = page.getByRole('list', { name: 'Queue' }).getByRole('listitem')
    expect(await rows.count()).toBeLessThan(DRAWN_MAX)
    await rows.first().focus()
    await page.keyboard.press('End')
    await page.getByText(`number ${ROWS - 1}`, { exact: true }).waitFor()
    await eventually(async () => (await rows.count()) < DRAWN_MAX)
    expect(faults).toEqual([])
    await context.close()
  }, 180_000)
})
