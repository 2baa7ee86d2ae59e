import { describe, expect, it } from '@jest/globals'
import { hasDovecot } from '../../support/dovecot.js'
import { killReader, killSessions } from './kills.js'

const withDovecot = hasDovecot() ? describe : describe.skip
const WHOLE = { lost: 0, twice: 0, unnamed: 0 }

/** With more mails and kills: mailbox-kills.test.ts. */
withDovecot('mails that come while something is killed are each stored once', () => {
  it('if it is their reader', async () => {
    expect(await killReader({ mails: 60, kills: 2 })).toMatchObject(WHOLE)
  })

  it('if it is the sessions of their server', async () => {
    expect(await killSessions({ mails: 60, kills: 3 })).toMatchObject(WHOLE)
  })
})
