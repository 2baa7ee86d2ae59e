import { describe, expect, it } from '@jest/globals'
import { hasDovecot } from '../../support/dovecot.js'
import { killReader, killSessions, type KillFigures } from './kills.js'

const withDovecot = hasDovecot() ? describe : describe.skip

/** None lost, none twice, each with a name; and that it was hit at all. */
function expectWhole(what: string, figures: KillFigures): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`)
  expect(figures).toMatchObject({ lost: 0, twice: 0, unnamed: 0 })
  expect(figures.begunAgain).toBeGreaterThan(0)
}

withDovecot('600 mails, while their reader is killed 20 times', () => {
  it('are each stored once', async () => {
    expectWhole('the reader killed', await killReader({ mails: 600, kills: 20 }))
  })
})

withDovecot('300 mails, while the sessions of their server are killed 11 times', () => {
  it('are each stored once', async () => {
    expectWhole("the server's sessions killed", await killSessions({ mails: 300, kills: 11 }))
  })
})
