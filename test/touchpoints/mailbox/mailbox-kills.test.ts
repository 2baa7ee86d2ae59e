import { describe, expect, it } from '@jest/globals'
import { hasDovecot } from '../../support/dovecot.js'
import { killReader, killSessions, type KillFigures } from './kills.js'

/** `npm run mails:killed` has many more. */
const MAILS = Number(process.env.KILLED_MAILS ?? 600)
const KILLS = Math.max(20, Math.round(MAILS / 50))
const SESSION_MAILS = MAILS / 2
/** Says only that a test hangs: each kill is a start of a server. */
const PATIENCE_MS = Math.max(300_000, KILLS * 30_000)
const SESSION_KILLS = Math.max(11, Math.round(KILLS / 10))

const withDovecot = hasDovecot() ? describe : describe.skip

/** None lost, none twice, each with a name; and that it was hit at all. */
function expectWhole(what: string, figures: KillFigures): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`)
  expect(figures).toMatchObject({ lost: 0, twice: 0, unnamed: 0 })
  expect(figures.begunAgain).toBeGreaterThan(0)
}

withDovecot(`${MAILS} mails, while their reader is killed ${KILLS} times`, () => {
  it(
    'are each stored once',
    async () => {
      expectWhole('the reader killed', await killReader({ mails: MAILS, kills: KILLS }))
    },
    PATIENCE_MS,
  )
})

withDovecot(`${SESSION_MAILS} mails, while the sessions of their server are killed ${SESSION_KILLS} times`, () => {
  it(
    'are each stored once',
    async () => {
      expectWhole("the server's sessions killed", await killSessions({ mails: SESSION_MAILS, kills: SESSION_KILLS }))
    },
    PATIENCE_MS,
  )
})
