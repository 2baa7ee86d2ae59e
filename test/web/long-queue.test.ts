import { expect, it } from '@jest/globals'
import { untilPasses } from '../support/until.js'
import { eventually } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'
import { signIn } from './support/office.js'

const ROWS = 10_000
/** Rows in the document, however many wait. */
const DRAWN_MAX = 80
/** More than are drawn at once. */
const STEPS = 60

describeInBrowser('a queue of 10,000', (world) => {
  it('arrives in pages, is counted completely, and renders only rows near the window', async () => {
    const id = await world.office.arrive('Waiting', 'one of many')
    const sql = world.office.server.database
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
    const { page } = await world.open('/console')
    await signIn(page, world.office.ann)
    await page.getByText(`${ROWS} waiting`, { exact: true }).first().waitFor()
    const rows = page.getByRole('list', { name: 'Queue' }).getByRole('listitem')
    expect(await rows.count()).toBeLessThan(DRAWN_MAX)
    await rows.first().focus()
    await page.keyboard.press('End')
    await page.getByText(`number ${ROWS - 1}`, { exact: true }).waitFor()
    await eventually(async () => (await rows.count()) < DRAWN_MAX)
    const last = rows.filter({ hasText: `number ${ROWS - 1}` })
    expect([await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')]).toEqual([
      String(ROWS),
      String(ROWS),
    ])

    // When the row that has the focus leaves, the one in its place has it.
    await page.keyboard.press('Home')
    await rows.first().getByText('one of many').waitFor()
    await world.office.gql(world.office.bob, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', {
      id,
    })
    await rows.filter({ hasText: 'one of many' }).waitFor({ state: 'detached' })
    await rows.filter({ hasText: 'number 1' }).and(page.locator(':focus-within')).waitFor()
    // Each key opens the next one, however far down, where it can be seen.
    const open = page.locator('.rows > li[data-on]')
    for (let count = 1; count <= STEPS; count++) {
      await page.keyboard.press('Alt+ArrowDown')
      await open.getByText(`number ${count}`, { exact: true }).waitFor()
    }
    await untilPasses(async () => {
      const [row, list] = await Promise.all([open.boundingBox(), page.locator('.list-col .scroll').boundingBox()])
      expect(row!.y).toBeGreaterThanOrEqual(list!.y - 1)
      expect(row!.y + row!.height).toBeLessThanOrEqual(list!.y + list!.height + 1)
    })
  })
})
