import { expect, it } from '@jest/globals'
import { PNG } from '../support/upload-image.js'
import { eventually } from './support/browser.js'
import { describeInBrowser } from './support/in-browser.js'

describeInBrowser('a message that is sent while its file is uploaded', (world) => {
  const PICTURE = { name: 'keel.png', mimeType: 'image/png', buffer: Buffer.from(PNG) }

  /** A composer with a text and a file whose upload waits. @property letUpload lets it go on, or fail */
  async function writing(name: string) {
    const id = await world.office.arrive(name, 'hello')
    const { page } = await world.openConsole(world.office.ann, `/c/${id}`)
    let letUpload!: (how?: 'fail') => void
    let held = new Promise<'fail' | undefined>((resolve) => (letUpload = resolve))
    await page.route('**/v2/attachments*', async (route) => {
      const how = await held
      held = Promise.resolve(undefined)
      await (how === 'fail' ? route.abort() : route.continue())
    })
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill('see the keel')
    await page.locator('input[type=file]').setInputFiles(PICTURE)
    await page.getByRole('progressbar').waitFor()
    const sent = async (): Promise<string[]> => {
      const rows = await world.office.server.database.query<{ text: string }>(
        "select coalesce(text, '') || case when meta ? 'fileId' then '(file)' else '' end as text from message where conversation_id = $1 and role = 'agent' order by position",
        [id],
      )
      return rows.map(({ text }) => text)
    }
    return {
      page,
      reply,
      letUpload,
      sent,
      said: page.getByText('Stay here: the message goes once its files are uploaded.'),
    }
  }

  it('goes with it, once', async () => {
    const { page, reply, letUpload, sent, said } = await writing('Patient Pat')
    await reply.press('Enter')
    await said.waitFor()
    await reply.press('Enter')
    await page.getByRole('button', { name: 'Send' }).click()
    expect([await reply.inputValue(), await sent()]).toEqual(['see the keel', []])
    letUpload()
    await eventually(async () => (await sent()).length === 2)
    expect(await sent()).toEqual(['see the keel', expect.stringContaining('(file)')])
    expect(await reply.inputValue()).toBe('')
    await said.waitFor({ state: 'detached' })
  })

  it('waits for the agent again if it is changed', async () => {
    const { page, reply, letUpload, sent, said } = await writing('Changing Chris')
    await reply.press('Enter')
    await said.waitFor()
    await reply.pressSequentially(' first')
    await said.waitFor({ state: 'detached' })
    letUpload()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    await reply.press('Enter')
    await eventually(async () => (await sent()).length === 2)
    expect((await sent())[0]).toBe('see the keel first')
  })

  it('is no answer to the consumer if it was sent as a note, whatever is chosen meanwhile', async () => {
    const { page, reply, letUpload, sent, said } = await writing('Noting Nan')
    await page.getByText('Note', { exact: true }).click()
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.press('Enter')
    await said.waitFor()
    await page.getByText('Reply', { exact: true }).click()
    await said.waitFor({ state: 'detached' })
    letUpload()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    expect([await reply.inputValue(), await sent()]).toEqual(['see the keel', []])
  })

  it('goes once, though the draft is sent in another tab meanwhile', async () => {
    const { page, reply, letUpload, sent, said } = await writing('Twofold Tom')
    await reply.press('Enter')
    await said.waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    const theirs = other.getByRole('textbox', { name: 'Reply' })
    await eventually(async () => (await theirs.inputValue()) === 'see the keel')
    await theirs.press('Enter')
    await eventually(async () => (await sent()).length === 1)
    await eventually(async () => (await reply.inputValue()) === '')
    letUpload()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    await said.waitFor({ state: 'detached' })
    expect(await sent()).toEqual(['see the keel'])
  })

  it('says that a file failed, and goes when it is tried again', async () => {
    const { page, reply, letUpload, sent } = await writing('Failing Fay')
    await reply.press('Enter')
    letUpload('fail')
    await page.getByText('A file is not uploaded: try it again or remove it.').waitFor()
    expect(await sent()).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await eventually(async () => (await sent()).length === 2)
  })

  it('stays if the file is removed', async () => {
    const { page, reply, letUpload, sent, said } = await writing('Removing Rae')
    await reply.press('Enter')
    await said.waitFor()
    await page.getByRole('button', { name: 'Remove the file: keel.png' }).click()
    await said.waitFor({ state: 'detached' })
    letUpload()
    expect([await reply.inputValue(), await sent()]).toEqual(['see the keel', []])
    await reply.press('Enter')
    await eventually(async () => (await sent()).length === 1)
  })
})
