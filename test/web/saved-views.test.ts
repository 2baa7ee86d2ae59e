import { afterEach, beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'

const SAVE =
  'mutation ($id: ID, $input: SaveViewInput!) { saveView(id: $id, input: $input) { id name version filter } }'
const ROOMY = { width: 1440, height: 900 }
const PHONE = { width: 375, height: 812 }

describeInBrowser('saved views in the console', (world) => {
  let label: string
  let open: string
  beforeAll(async () => {
    const { office } = world
    const made = await office.gql(office.owner, 'mutation { createLabel(input: { name: "Refund" }) { id } }')
    label = made.data.createLabel.id
    open = await office.arrive('Rita Refund', 'where is my money?')
    await office.arrive('Oda Open', 'still here')
    await office.gql(office.ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id: open })
    await labelled(open)
  })

  // What a test that failed has left is not in the way of the next.
  afterEach(async () => {
    const { office } = world
    for (const who of [office.owner, office.ann, office.bob])
      for (const { id } of await seenBy(who)) await remove(who, id)
  })

  const labelled = async (id: string, who = world.office.ann): Promise<void> => {
    await world.office.gql(who, 'mutation ($id: ID!, $add: [ID!]) { setLabels(conversation: $id, add: $add) { id } }', {
      id,
      add: [label],
    })
  }
  const save = async (who: MadeUser, input: object, id?: string): Promise<{ id: string; name: string }> => {
    const { data, errors } = await world.office.gql(who, SAVE, { id, input })
    expect(errors).toBeUndefined()
    return data.saveView
  }
  const seenBy = async (who: MadeUser): Promise<{ id: string; name: string; filter: object; orderBy: object[] }[]> => {
    const { data } = await world.office.gql(
      who,
      '{ views(first: 100, orderBy: [{ field: NAME }]) { edges { node { id name filter orderBy } } } }',
    )
    return data.views.edges.map(({ node }: { node: object }) => node)
  }
  const remove = (who: MadeUser, id: string) =>
    world.office.gql(who, 'mutation ($id: ID!) { deleteView(id: $id) }', { id })
  const views = (page: Page) => page.getByRole('navigation', { name: 'Views' })
  /** Reads the count beside a link. */
  const countOf = (page: Page, name: string): Promise<string | null> =>
    views(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name, exact: true }) })
      .locator('span')
      .textContent()
  /** Reads the id of the view that is shown. */
  const savedAt = async (page: Page): Promise<string> => {
    await page.waitForURL(/\/console\/v\/[0-9a-f-]{36}$/)
    return page.url().split('/').at(-1)!
  }
  const select = (page: Page, name: string) => page.getByRole('main').getByRole('combobox', { name })
  /** Holds the requests whose text has the words. @returns lets them go */
  const hold = async (page: Page, words: string): Promise<() => void> => {
    let release = (): void => undefined
    const free = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(words)) await free
      await route.continue().catch(() => undefined)
    })
    return release
  }
  const inDialog = (page: Page) => page.getByRole('dialog')

  it('saves a filtered list, shows it with its count, changes, renames and deletes it', async () => {
    const { office } = world
    const { page } = await world.openConsole(office.ann, '/open', { viewport: ROOMY })
    await views(page).getByText('Save a list with its filters, and it is here.').waitFor()
    await select(page, 'Label').selectOption('Refund')
    await page.getByRole('list', { name: 'All open' }).getByText('Oda Open').waitFor({ state: 'detached' })
    await keepScreenshot(page, 'views-column')
    await page.getByRole('button', { name: 'Save view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
    // Only supervisors and administrators share.
    expect(await dialog.getByRole('combobox', { name: 'For' }).count()).toBe(0)
    expect(await dialog.getByRole('combobox', { name: 'Label' }).inputValue()).toBe(label)
    await page.keyboard.type('Refunds')
    await expectAccessible(page)
    await keepScreenshot(page, 'view-save')
    await page.keyboard.press('Enter')
    const list = page.getByRole('list', { name: 'Refunds' })
    await list.getByText('Rita Refund').waitFor()
    await page.waitForURL(/\/console\/v\/[0-9a-f-]{36}$/)
    await until(async () => (await page.title()).startsWith('Refunds'))
    const link = views(page).getByRole('link', { name: 'Refunds', exact: true })
    await link.and(page.locator('[aria-current=page]')).waitFor()
    await until(async () => (await countOf(page, 'Refunds')) === '1')
    await expectAccessible(page)
    await keepScreenshot(page, 'view-saved')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'view-saved-dark')
    await page.emulateMedia({ colorScheme: 'light' })

    // Other filters: nothing is saved until that is asked for.
    await select(page, 'Label').selectOption('Any')
    await list.getByText('Oda Open').waitFor()
    await page.getByText('The filters are changed.').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'view-changed')
    await page.getByRole('button', { name: 'Undo changes' }).click()
    await list.getByText('Oda Open').waitFor({ state: 'detached' })
    await select(page, 'Label').selectOption('Any')
    await select(page, 'State').selectOption('Waiting')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The filters are changed.').waitFor({ state: 'detached' })
    await list.getByText('Rita Refund').waitFor({ state: 'detached' })
    await list.getByText('Oda Open').waitFor()
    const [saved] = await seenBy(office.ann)
    expect(saved).toMatchObject({ name: 'Refunds', filter: { status: { eq: 'queued' } } })

    // A name that is taken is said in words, and what was typed stays.
    const other = await save(office.ann, { name: 'Late ones', filter: { awaitsAnswer: { eq: true } } })
    await page.getByRole('button', { name: 'Edit view' }).click()
    await inDialog(page).getByRole('textbox', { name: 'Name' }).fill('late ones')
    await inDialog(page).getByRole('combobox', { name: 'Only' }).selectOption('Awaits an answer')
    await inDialog(page).getByRole('combobox', { name: 'Order' }).selectOption('Longest wait')
    await page.keyboard.press('Enter')
    await inDialog(page).getByText('Another view has this name. Choose another.').waitFor()
    await inDialog(page).getByRole('textbox', { name: 'Name' }).fill('Waiting for us')
    await inDialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Waiting for us' }).waitFor()
    await page.getByText('Also: Awaits an answer: yes').waitFor()
    expect((await seenBy(office.ann)).find(({ id }) => id !== other.id)).toMatchObject({
      name: 'Waiting for us',
      filter: { status: { eq: 'queued' }, awaitsAnswer: { eq: true } },
      orderBy: [{ field: 'queuedAt', direction: 'asc' }],
    })
    await page.getByRole('button', { name: 'Delete view' }).click()
    await inDialog(page).getByText('“Waiting for us” goes from your views. Its conversations stay.').waitFor()
    await expectAccessible(page)
    await inDialog(page).getByRole('button', { name: 'Delete view' }).click()
    await page.getByRole('heading', { name: 'All open' }).waitFor()
    await views(page).getByRole('link', { name: 'Late ones' }).waitFor()
    expect(await views(page).getByRole('link', { name: 'Waiting for us' }).count()).toBe(0)
  }, 240_000)

  it('goes to a view by keys and the palette; without room the views are a popover', async () => {
    const { office } = world
    const { id } = await save(office.bob, { name: 'Refunds', filter: { labels: { eq: label } } })
    const { page } = await world.openConsole(office.bob, '/queue')
    await page.getByRole('button', { name: 'Views' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('view ref')
    await page.getByRole('option', { name: 'Go to view Refunds' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Refunds' }).getByText('Rita Refund').waitFor()
    await page.waitForURL(`${office.url}/console/v/${id}`)

    await pressKeys(page, 'list', 'g', 'w')
    const link = views(page).getByRole('link', { name: 'Refunds' })
    await link.and(page.locator(':focus')).waitFor()
    await until(async () => (await countOf(page, 'Refunds')) === '1')
    await expectAccessible(page)
    await keepScreenshot(page, 'views-menu')
    await page.keyboard.press('Escape')
    await views(page).waitFor({ state: 'detached' })

    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Views' }).click()
    await link.and(page.locator(':focus')).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'views-menu-dark-375')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Closed' }).waitFor()
    await views(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Views' }).click()
    await views(page).getByRole('button', { name: 'New view' }).click()
    await inDialog(page).getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
    expect(await inDialog(page).getByRole('combobox', { name: 'State' }).inputValue()).toBe('closed')
    await expectAccessible(page)
    await keepScreenshot(page, 'view-save-dark-375')
    await page.keyboard.press('Escape')
    await page.goto(`${office.url}/console/v/${id}`)
    await page.getByRole('list', { name: 'Refunds' }).getByText('Rita Refund').click()
    await page.getByRole('log').getByText('where is my money?').waitFor()
    // A reload of the thread stays in its list.
    await page.reload()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('heading', { name: 'Refunds' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'view-saved-dark-375')
    await page.emulateMedia({ colorScheme: 'light' })
    await keepScreenshot(page, 'view-saved-375')
  }, 240_000)

  it('shares a view, which a colleague sees change and go; what is on the screen is not lost', async () => {
    const { office } = world
    const owner = await world.openConsole(office.owner, '/open', { viewport: ROOMY })
    await owner.page.getByRole('button', { name: 'Save view' }).click()
    await inDialog(owner.page).getByRole('textbox', { name: 'Name' }).fill('For all')
    await inDialog(owner.page).getByRole('combobox', { name: 'For' }).selectOption('All colleagues')
    await expectAccessible(owner.page)
    await keepScreenshot(owner.page, 'view-share')
    await inDialog(owner.page).getByRole('button', { name: 'Save' }).click()
    await owner.page.getByRole('list', { name: 'For all' }).getByText('Rita Refund').waitFor()
    const id = await savedAt(owner.page)

    const { page } = await world.openConsole(office.ann, '/queue', { viewport: ROOMY })
    await views(page).getByRole('heading', { name: 'Shared views' }).waitFor()
    await views(page).getByRole('link', { name: 'For all' }).click()
    await page.getByRole('list', { name: 'For all' }).getByText('Oda Open').waitFor()
    expect(await page.getByRole('button', { name: 'Edit view' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete view' }).count()).toBe(0)
    // Her own filters over it can only be kept as a view of her own.
    await select(page, 'Label').selectOption('Refund')
    await page.getByRole('button', { name: 'Save as a view of my own' }).last().waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo changes' }).click()

    await save(office.owner, { name: 'For everybody', filter: { labels: { eq: label } } }, id)
    await page.getByRole('heading', { name: 'For everybody' }).waitFor()
    await page.getByRole('list', { name: 'For everybody' }).getByText('Oda Open').waitFor({ state: 'detached' })

    // The owner's page has other filters over what was saved meanwhile: she replaces it knowingly.
    await owner.page.getByRole('heading', { name: 'For everybody' }).waitFor()
    await select(owner.page, 'State').selectOption('Active')
    await save(office.owner, { name: 'For everyone', filter: { labels: { eq: label } } }, id)
    await owner.page.getByRole('button', { name: 'Save changes' }).click()
    await owner.page.getByText('A colleague changed this view meanwhile. Save again to replace that.').waitFor()
    await owner.page.getByRole('button', { name: 'Save changes' }).click()
    await owner.page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
    expect((await seenBy(office.owner)).find((view) => view.id === id)!.filter).toMatchObject({
      status: { eq: 'active' },
    })

    await page.getByRole('heading', { name: 'For everyone' }).waitFor()
    await page.getByRole('list', { name: 'For everyone' }).getByText('Rita Refund').waitFor()
    await remove(office.owner, id)
    await page.getByText('This view was deleted. What is listed stays until you leave.').waitFor()
    await page.getByRole('list', { name: 'For everyone' }).getByText('Rita Refund').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'view-deleted')
    await page.getByRole('button', { name: 'Save it again' }).click()
    expect(await inDialog(page).getByRole('textbox', { name: 'Name' }).inputValue()).toBe('For everyone')
    await inDialog(page).getByRole('button', { name: 'Save' }).click()
    await views(page).getByRole('link', { name: 'For everyone' }).and(page.locator('[aria-current]')).waitFor()
    await page.waitForURL(({ pathname }) => /\/v\/[^/]+$/.test(pathname) && !pathname.endsWith(id))

    await page.goto(`${office.url}/console/v/${id}`)
    await page.getByRole('heading', { name: 'There is no such view' }).waitFor()
    await page.getByRole('link', { name: 'Go to all open' }).click()
    await page.getByRole('heading', { name: 'All open' }).waitFor()
  }, 240_000)

  it('takes filters that were chosen back for none, which hold up nothing that a colleague saves', async () => {
    const { office } = world
    const { id } = await save(office.owner, { name: 'To and fro', filter: { labels: { eq: label } }, isShared: true })
    const { page } = await world.openConsole(office.ann, `/v/${id}`, { viewport: ROOMY })
    const list = page.getByRole('list', { name: 'To and fro' })
    await list.getByText('Rita Refund').waitFor()
    await select(page, 'Label').selectOption('Any')
    await page.getByText('The filters are changed.').waitFor()
    await select(page, 'Label').selectOption('Refund')
    await page.getByText('The filters are changed.').waitFor({ state: 'detached' })
    await save(office.owner, { filter: { status: { eq: 'QUEUED' } }, name: 'To and away' }, id)
    await page.getByRole('heading', { name: 'To and away' }).waitFor()
    await page.getByRole('list', { name: 'To and away' }).getByText('Oda Open').waitFor()
    expect(await select(page, 'Label').inputValue()).toBe('')
    expect(await select(page, 'State').inputValue()).toBe('waiting')
    expect(await page.getByText('The filters are changed.').count()).toBe(0)
  }, 240_000)

  it('keeps what is chosen while other filters are being saved', async () => {
    const { office } = world
    const { id } = await save(office.ann, { name: 'In between', filter: { labels: { eq: label } } })
    const { page } = await world.openConsole(office.ann, `/v/${id}`, { viewport: ROOMY })
    await page.getByRole('list', { name: 'In between' }).getByText('Rita Refund').waitFor()
    const release = await hold(page, 'saveView')
    await select(page, 'State').selectOption('Waiting')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await select(page, 'State').selectOption('Active')
    release()
    const state = async (): Promise<unknown> => (await seenBy(office.ann))[0]?.filter
    await until(async () => JSON.stringify(await state()).includes('queued'))
    await page.getByRole('button', { name: 'Save changes' }).and(page.locator('[aria-disabled=false]')).click()
    await page.getByText('The filters are changed.').waitFor({ state: 'detached' })
    expect(await select(page, 'State').inputValue()).toBe('active')
    expect(await state()).toMatchObject({ status: { eq: 'active' } })
  }, 240_000)

  it('is not said to be gone while it cannot be asked for', async () => {
    const { office } = world
    const { page } = await world.openConsole(office.ann, '/queue', { viewport: ROOMY })
    await views(page).getByText('Save a list with its filters, and it is here.').waitFor()
    await page.route('**/graphql', (route) => route.abort())
    const { id } = await save(office.ann, { name: 'From my telephone', filter: { labels: { eq: label } } })
    await page.evaluate(`history.pushState(null, '', '/console/v/${id}'); dispatchEvent(new PopStateEvent('popstate'))`)
    await page.getByRole('main').getByText('The saved views did not load.').waitFor()
    expect(await page.getByText('There is no such view').count()).toBe(0)
    await page.unroute('**/graphql')
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('list', { name: 'From my telephone' }).getByText('Rita Refund').waitFor()
  }, 240_000)

  it('says what a view names that is gone, and mends it', async () => {
    const { office } = world
    const { data } = await office.gql(
      office.owner,
      'mutation ($o: ID!) { createChannel(input: { organization: $o, name: "Old pier" }) { id } }',
      { o: office.organization.id },
    )
    const channel = data.createChannel.id
    const { id } = await save(office.ann, {
      name: 'Pier refunds',
      filter: { caseChannels: { eq: channel }, labels: { eq: label }, status: { in: ['QUEUED', 'ACTIVE'] } },
    })
    await office.gql(office.owner, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: channel })
    const { page } = await world.openConsole(office.ann, `/v/${id}`, { viewport: ROOMY })
    const band = page.getByRole('main').getByText(/This view names what is gone: a channel “Old pier”\./)
    // The names of labels may come after the rest.
    await until(async () => (await band.innerText()).includes('Without it, it shows: State: All open · Label: Refund.'))
    await expectAccessible(page)
    await keepScreenshot(page, 'view-gaps')
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'view-gaps-dark-375')
    await page.getByRole('button', { name: 'Mend' }).click()
    await inDialog(page).getByText('Without: a channel “Old pier”').waitFor()
    expect(await inDialog(page).getByRole('combobox', { name: 'Channel' }).inputValue()).toBe('')
    await inDialog(page).getByRole('button', { name: 'Save' }).click()
    await band.waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Pier refunds' }).getByText('Rita Refund').waitFor()
  }, 240_000)

  it('says in words why a view is not saved, and keeps what was chosen', async () => {
    const { office } = world
    const { id } = await save(office.bob, { name: 'Ann’s', filter: { assignee: { eq: office.ann.id } } })
    const { page } = await world.openConsole(office.bob, `/v/${id}`, { viewport: ROOMY })
    await page.getByText('Also: Agent: Ann de Vries').waitFor()
    await select(page, 'State').selectOption('Waiting')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page
      .getByText('No conversation can be in this view: “Agent” and “State” exclude each other.')
      .or(page.getByText('No conversation can be in this view: “State” and “Agent” exclude each other.'))
      .waitFor()
    expect(await select(page, 'State').inputValue()).toBe('waiting')
    await page.getByRole('button', { name: 'Undo changes' }).click()

    await page.getByRole('button', { name: 'New view' }).click()
    await inDialog(page).getByRole('textbox', { name: 'Name' }).fill('All')
    await inDialog(page).getByRole('combobox', { name: 'State' }).selectOption('Any')
    await inDialog(page).getByRole('button', { name: 'Save' }).click()
    await inDialog(page)
      .getByText('This would be all conversations. Choose a state, a channel, an agent or a label.')
      .waitFor()
    await page.context().setOffline(true)
    await page
      .getByText(/Offline/)
      .first()
      .waitFor()
    await inDialog(page).getByRole('combobox', { name: 'State' }).selectOption('Closed')
    await inDialog(page).getByRole('button', { name: 'Save' }).click()
    await inDialog(page).getByText('Saving needs a connection. What you chose stays here.').waitFor()
    await inDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await views(page)
      .getByText(/^As of \d\d:\d\d$/)
      .waitFor()
    expect(await countOf(page, 'Ann’s')).toBe('1')
    await expectAccessible(page)
    await keepScreenshot(page, 'views-offline')
    await page.context().setOffline(false)
    await views(page)
      .getByText(/^As of/)
      .waitFor({ state: 'detached' })

    for (let made = 1; made < 100; made++) await save(office.bob, { name: `view ${made}`, filter: { q: `${made}` } })
    await page.getByRole('button', { name: 'New view' }).click()
    await inDialog(page).getByRole('textbox', { name: 'Name' }).fill('One more')
    await inDialog(page).getByRole('button', { name: 'Save' }).click()
    await inDialog(page).getByText('You have 100 views already. Delete one first.').waitFor()
    await inDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await views(page).getByRole('link', { name: 'view 99', exact: true }).waitFor()
    // All are counted, some later than others.
    await until(async () => (await countOf(page, 'view 99')) === '0')
    await expectAccessible(page)
    await keepScreenshot(page, 'views-hundred')
  }, 240_000)

  it('is in step in two tabs, and with what the agent does', async () => {
    const { office } = world
    const { page, context } = await world.openConsole(office.ann, '/queue', { viewport: ROOMY })
    const second = await world.open('/console/queue', { context })
    await second.page.setViewportSize(ROOMY)
    await views(second.page).getByText('Save a list with its filters, and it is here.').waitFor()
    await views(page).getByRole('button', { name: 'New view' }).click()
    await inDialog(page).getByRole('textbox', { name: 'Name' }).fill('Labelled')
    await inDialog(page).getByRole('combobox', { name: 'State' }).selectOption('Any')
    await inDialog(page).getByRole('combobox', { name: 'Label' }).selectOption('Refund')
    await inDialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('list', { name: 'Labelled' }).getByText('Rita Refund').waitFor()
    await views(second.page).getByRole('link', { name: 'Labelled' }).waitFor()
    await until(async () => (await countOf(second.page, 'Labelled')) === '1')
    const id = await office.arrive('Lars Label', 'mine too')
    await office.gql(office.ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })
    await labelled(id)
    await page.getByRole('list', { name: 'Labelled' }).getByText('Lars Label').waitFor()
    await until(async () => (await countOf(page, 'Labelled')) === '2')
    // Another agent has it not.
    expect(await seenBy(office.bob)).toEqual([])
    await page.getByRole('button', { name: 'Delete view' }).click()
    await inDialog(page).getByRole('button', { name: 'Delete view' }).click()
    await views(second.page).getByRole('link', { name: 'Labelled' }).waitFor({ state: 'detached' })
  }, 240_000)

  it.each([
    ['nl', 'Inloggen', 'Weergaven', 'Nieuwe weergave', 'Naam', 'Opslaan'],
    ['de', 'Anmelden', 'Ansichten', 'Neue Ansicht', 'Name', 'Speichern'],
    ['fr', 'Se connecter', 'Vues', 'Nouvelle vue', 'Nom', 'Enregistrer'],
  ])(
    'speaks %s',
    async (locale, signsIn, title, add, name, save_) => {
      const { page } = await world.open('/console', { locale, viewport: ROOMY })
      await page.locator('input[type=email]').fill(world.office.ann.email)
      await page.locator('input[type=password]').fill(PASSWORD)
      await page.getByRole('button', { name: signsIn }).click()
      await page.getByRole('navigation', { name: title }).getByRole('button', { name: add }).click()
      await inDialog(page).getByRole('textbox', { name }).fill('VIP')
      await inDialog(page).getByRole('combobox').first().selectOption('')
      await inDialog(page).getByRole('button', { name: save_ }).click()
      await inDialog(page).getByRole('alert').waitFor()
      await expectAccessible(page)
      await keepScreenshot(page, `view-save-${locale}`)
      expect(await inDialog(page).getByRole('alert').innerText()).toBe(FITS_ALL[locale])
    },
    240_000,
  )
})

const FITS_ALL: Readonly<Record<string, string>> = {
  nl: 'Dit zouden alle gesprekken zijn. Kies een status, een kanaal, een medewerker of een label.',
  de: 'Das wären alle Gespräche. Wählen Sie einen Status, einen Kanal, eine Person oder ein Label.',
  fr: 'Ce seraient toutes les conversations. Choisissez un état, un canal, un agent ou une étiquette.',
}
