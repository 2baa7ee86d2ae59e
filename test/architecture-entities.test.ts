import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { literalsOf, type Literal } from './support/sql-literals.js'

/**
 * Reads of one record of settings, or of a few, that are SQL, and why they are (docs/architecture/writing.md). A new read goes by
 * `fetchRecord`, `fetchRecords`, the entity manager of its transaction, or `listPage`: this list may only become shorter.
 */
const BY_HAND: Readonly<Record<string, readonly string[]>> = {
  'asks by an expression, or for one': [
    'src/app/center/unlock-owner.ts',
    'src/modules/attachments/attachment-routes.ts',
    'src/modules/auth/enrol-factors.ts',
    'src/modules/auth/parse-chosen.ts',
    'src/modules/auth/password-links.ts',
    'src/modules/auth/note-refusal.ts',
    'src/modules/auth/sign-in.ts',
    'src/modules/conversations/offers/read-staff.ts',
    'src/modules/conversations/place/place-reader.ts',
    'src/modules/sign-in-policy/update-sign-in-policy.ts',
    'src/modules/sso/providers.ts',
    'src/modules/staffing/skill-writes.ts',
    'src/modules/touchpoints/email/email-params.ts',
    'src/modules/touchpoints/claim-account.ts',
    'src/modules/touchpoints/telegram/claim-bot.ts',
    'src/modules/touchpoints/web/widget-settings.ts',
  ],
  'part of other statements': [
    'src/modules/contacts/contact.ts',
    'src/modules/conversations/messages/read-forms.ts',
    'src/modules/conversations/offers/matcher.ts',
    'src/modules/sign-in-policy/password-login.ts',
    'src/modules/sign-in-policy/sign-in-rules.ts',
    'src/modules/touchpoints/mailbox/mailbox-leases.ts',
    'src/modules/users/user-profile.ts',
    'src/platform/db/archived-centers.ts',
    'src/platform/db/tenancy.ts',
  ],
  'of more than the tenants of a caller': [
    'src/modules/auth/guest-tokens.ts',
    'src/modules/bots/end-refused-guests.ts',
    'src/modules/conversations/sending/hand-over.ts',
    'src/modules/services/stored-templates.ts',
    'src/modules/sso/whose-account.ts',
  ],
  'by a job, a start or a tool, without a caller': [
    'src/app/backup/load.ts',
    'src/modules/conversations/offers/offer-jobs.ts',
    'src/modules/organizations/bootstrap.ts',
    'src/modules/privacy/erase-contact.ts',
    'src/modules/privacy/erasure-job.ts',
    'src/modules/privacy/hold-changed.ts',
    'src/modules/sso/domains/check-domains.ts',
    'src/modules/touchpoints/amend-job.ts',
    'src/modules/touchpoints/mailbox/mailbox-state.ts',
    'src/modules/touchpoints/template-sync-job.ts',
    'src/modules/transcripts/transcript-jobs.ts',
  ],
  'ids and names of everything that a caller sees, in its turn of reads': [
    'src/modules/privacy/erasure-lines.ts',
    'src/modules/record-changes/record-changes-source.ts',
    'src/modules/reports/day-of-organization.ts',
    'src/modules/reports/wallboard-source.ts',
    'src/modules/reports/wallboard-state.ts',
  ],
  'an operation on a conversation, or one and the requests that prepare it': [
    'src/modules/conversations/proposals/suggestion.ts',
    'src/modules/conversations/surveys/ask-survey.ts',
    'src/modules/macros/check-steps.ts',
  ],
  'a table of a module above': [
    'src/modules/attachments/attachment-writes.ts',
    'src/modules/holds/held.ts',
    'src/modules/schedules/schedule-writes.ts',
    'src/modules/users/mask.ts',
  ],
  'before the lock of the record, which must then be read anew': ['src/modules/workflows/drafts/save-draft.ts'],
}

describe('records of settings', () => {
  let sources: Map<string, string>
  let tables: string[]
  beforeAll(async () => {
    sources = new Map()
    for await (const path of glob('src/**/*.ts')) {
      if (!path.includes('/migrations/')) sources.set(path, readFileSync(path, 'utf8'))
    }
    tables = [...sources.values()].flatMap((source) =>
      [...source.matchAll(/@Entity\(\{ tableName: '(\w+)'/g)].map(([, table]) => table!),
    )
  })

  it('are read by their entities, but for what is listed', () => {
    expect(tables.length).toBeGreaterThan(20)
    const reads = new RegExp(`\\bfrom (?:${tables.join('|')})\\b`)
    const found = [...sources].filter(
      ([, source]) =>
        reads.test(source) && literalsOf(source).some((literal) => reads.test(literal.text) && isPlain(literal)),
    )
    expect(found.map(([path]) => path).toSorted()).toEqual(Object.values(BY_HAND).flat().toSorted())
  })
})

/**
 * Tells whether a statement reads one table and nothing else: no lock, no join, no aggregate, no batch by ids, no write, and not in an
 * operation that shares its reads.
 */
function isPlain({ text, before }: Literal): boolean {
  if (before === 'reading') return false
  const sql = text.toLowerCase().replaceAll('distinct from', '')
  const others =
    /\bfor (?:update|share|key share|no key update)\b|\b(?:join|union|insert|update|delete)\b|\b(?:count|max|min|sum|bool_or|\w+_agg)\(|= any\(\$1/
  return !others.test(sql) && sql.match(/\bfrom\b/g)!.length === 1
}
