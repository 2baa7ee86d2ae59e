import { randomInt } from 'node:crypto'

const FIRST = [
  'Amber', 'Azure', 'Brave', 'Bright', 'Calm', 'Clever', 'Coral', 'Crimson', 'Dapper', 'Eager', 'Gentle', 'Golden',
  'Happy', 'Hazel', 'Ivory', 'Jolly', 'Keen', 'Lively', 'Lucky', 'Mellow', 'Merry', 'Misty', 'Noble', 'Olive', 'Patient',
  'Polar', 'Quick', 'Quiet', 'Rapid', 'Rosy', 'Ruby', 'Sandy', 'Scarlet', 'Silver', 'Snowy', 'Solar', 'Stellar', 'Sunny',
  'Swift', 'Teal', 'Tidy', 'Velvet', 'Vivid', 'Warm', 'Wild', 'Wise', 'Witty', 'Zesty',
] as const
const SECOND = [
  'Badger', 'Beaver', 'Bison', 'Condor', 'Crane', 'Dolphin', 'Eagle', 'Falcon', 'Finch', 'Fox', 'Gazelle', 'Heron',
  'Ibex', 'Jaguar', 'Kestrel', 'Koala', 'Lemur', 'Lynx', 'Magpie', 'Marten', 'Narwhal', 'Ocelot', 'Orca', 'Osprey',
  'Otter', 'Owl', 'Panda', 'Pelican', 'Penguin', 'Plover', 'Puffin', 'Quail', 'Raven', 'Robin', 'Seal', 'Sparrow',
  'Stork', 'Swan', 'Tapir', 'Tern', 'Tiger', 'Toucan', 'Turtle', 'Vole', 'Walrus', 'Weasel', 'Whale', 'Wren',
] as const

/** A conversation's first name (2.8): easy to tell apart and to say; not unique. */
export function fantasyName(): string {
  return `${FIRST[randomInt(FIRST.length)]} ${SECOND[randomInt(SECOND.length)]}`
}

/** Crockford's base 32: no letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const SLUG_LENGTH = 12

/** A short identifier for addresses (2.8): 60 random bits. */
export function newSlug(): string {
  return Array.from({ length: SLUG_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
