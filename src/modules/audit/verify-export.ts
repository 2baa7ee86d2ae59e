import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { ChainCheck, type ExportedEntry, type SealedHead } from './audit-chain.js'

const FAULTS_SHOWN = 20

const WORDS = {
  missing: 'is missing',
  altered: 'is not what its hash was made of',
  details: 'has details other than those it is committed to',
  sealed: 'has another hash than its seal says',
  cut: 'and what follows is gone: a seal is of a later entry',
} as const

/**
 * Verifies an exported chain from its first entry against seals that were kept elsewhere.
 * @param lines of the export, in their order
 * @returns what was verified
 * @throws Error naming what is wrong
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  { seals, keys }: { seals: string; keys: string },
): Promise<string> {
  const heads = await readSeals(seals, JSON.parse(keys) as JSONWebKeySet)
  let check: ChainCheck | null = null
  let org = ''
  let withoutDetails = 0
  for await (const line of lines) {
    if (line.trim() === '') continue
    const entry = JSON.parse(line) as ExportedEntry
    if (check && entry.org !== org)
      throw new Error(`the entries are of several contact centers, ${org} and ${entry.org}`)
    org = entry.org
    check ??= new ChainCheck({ seals: heads.filter((head) => head.org === org) })
    check.add(entry)
    if (entry.details === null) withoutDetails += 1
  }
  if (!check) throw new Error('there are no entries')
  const faults = check.end()
  if (faults.length > 0) {
    const shown = faults.slice(0, FAULTS_SHOWN).map(({ number, fault }) => `entry ${number} ${WORDS[fault]}`)
    throw new Error([`${faults.length} faults in the audit log of ${org}:`, ...shown].join('\n'))
  }
  const sealed = heads.filter((head) => head.org === org)
  const last = Math.max(0, ...sealed.map(({ number }) => number))
  return (
    `whole: entries 1 to ${check.last} of ${org}, ${withoutDetails} without details; ` +
    `${sealed.length} seals, the last one of entry ${last}`
  )
}

async function readSeals(text: string, keys: JSONWebKeySet): Promise<SealedHead[]> {
  const keySet = createLocalJWKSet(keys)
  const tokens = text.split('\n').flatMap((line) => line.trim() || [])
  return Promise.all(
    tokens.map(async (token, index) => {
      try {
        const { payload } = await compactVerify(token, keySet)
        return JSON.parse(new TextDecoder().decode(payload)) as SealedHead
      } catch (error) {
        throw new Error(`seal ${index + 1} is not signed by these keys: ${(error as Error).message}`, { cause: error })
      }
    }),
  )
}
