import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, it } from '@jest/globals'

/** Names that only a provider's own folder needs: of the companies, and of their params. */
const NAMES: Readonly<Record<string, RegExp>> = {
  whatsapp: /whats-?app/i,
  mailbox: /imapflow|MailboxParams/i,
  telegram: /telegram|botToken/i,
  sms: /twilio|accountSid/i,
  messenger: /pageAccessToken|messenger platform/i,
}

/** Files elsewhere that name a provider. This list may only become shorter: what is generic belongs into a table. */
const EXCEPTIONS = [
  // The row of each provider.
  'src/modules/touchpoints/touchpoints-module.ts',
  // The kinds of their jobs, with what personal data each has.
  'src/modules/privacy/job-data.ts',
  // Their params as types of GraphQL, and the words of types.
  'src/modules/services/service-settings.ts',
  'src/modules/services/service.ts',
  'src/modules/services/services-resolver.ts',
  // The console's row and words.
  'web/console/admin/service-kinds.ts',
  'web/console/admin/words/de.ts',
  'web/console/admin/words/en.ts',
  'web/console/admin/words/fr.ts',
  'web/console/admin/words/nl.ts',
]

it('names a provider in its own folder alone, but for a list that may only shrink (a new provider: one folder, one row)', async () => {
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
  expect([...found].toSorted()).toEqual(EXCEPTIONS.toSorted())
})
