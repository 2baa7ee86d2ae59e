import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, it } from '@jest/globals'

/** Names that only a provider's own folder needs: of the companies, and of their params. */
const NAMES: Readonly<Record<string, RegExp>> = {
  whatsapp: /whats-?app/i,
  mailbox: /imapflow|MailboxParams/i,
  telegram: /telegram|botToken/i,
  instagram: /instagram/i,
  sms: /twilio|accountSid/i,
  messenger: /pageAccessToken|messenger platform/i,
}

/** The row of each provider. */
const ROWS = ['src/modules/touchpoints/touchpoints-module.ts']

it('names a provider in its own folder alone, but for its row (a new provider: one folder, one row)', async () => {
  const found = new Set<string>()
  for (const pattern of ['src/**/*.ts', 'web/**/*.{ts,tsx}']) {
    for await (const file of glob(pattern)) {
      if (file.startsWith('web/generated/')) continue
      const text = readFileSync(file, 'utf8')
      for (const [provider, name] of Object.entries(NAMES)) {
        if (file.startsWith(`src/modules/touchpoints/${provider}/`)) continue
        if (name.test(text)) found.add(file)
      }
    }
  }
  expect([...found].toSorted()).toEqual(ROWS)
})
