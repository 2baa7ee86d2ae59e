import type { Random } from './random.js'

/** Values taken where a text of that name is expected; elsewhere {@link TEXTS}. */
const BY_NAME: Readonly<Record<string, readonly string[]>> = {
  email: ['a@example.com', 'b.c@example.org'],
  telephone: ['+31612345678', '+14155550123'],
  phone: ['+31612345678'],
  language: ['nl', 'en'],
  country: ['NL', 'US', 'DE'],
  timezone: ['Europe/Amsterdam', 'UTC'],
  url: ['https://example.com/a'],
  logo: ['https://example.com/logo.png'],
  avatar: ['https://example.com/a.png'],
  uri: ['https://example.com/b', 'tel:+31612345678'],
  type: ['chat', 'card', 'web', 'email', 'notify', 'text'],
  role: ['contact', 'agent', 'bot'],
  fact: ['message', 'conversation', 'contact'],
  path: ['.text', '.language', 'meta.a'],
  operator: ['equal', 'contains', 'match'],
  touchpoint: ['web', 'email'],
  query: ['hello'],
  select: ['id', 'id,name'],
  populate: ['messages', 'contact'],
  sort: ['-createdAt', 'id'],
  limit: ['5'],
  offset: ['0', '3'],
  password: ['correct horse battery'],
}
const TEXTS = ['hello', 'Name', '/accept', '/leave', '/set @name Boat', '/notify', 'order 66', 'a']
const OBJECTS: readonly object[] = [{}, { a: 1 }, { title: 't', url: 'https://example.com' }, { a: { b: ['c'] } }]

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  'ÿ'.repeat(300),
  'x'.repeat(5_000),
  '(a+)+$',
  "'; drop table message; --",
  '/nosuch',
  '/assign',
  '/import x',
  '>',
  '{}',
  'javascript:alert(1)',
  '%',
  '\\',
  '1e308',
  'NaN',
  '../..',
  '\u202e',
  '[[[[',
]
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 31,
  -(2 ** 31) - 1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [null],
  [[]],
  { a: null },
  JSON.parse('{"__proto__": {"polluted": true}}'),
  { constructor: { prototype: {} } },
  Array(300).fill('x'),
  '2026-13-45',
  '00000000-0000-0000-0000-000000000000',
]

export function textFor(name: string, random: Random): string {
  return random.pick(BY_NAME[name.replace(/^.*\./, '')] ?? TEXTS)
}

export function objectFor(random: Random): object {
  return structuredClone(random.pick(OBJECTS))
}

export function hostileValue(random: Random): unknown {
  return random.isLucky(0.5) ? random.pick(HOSTILE_TEXTS) : random.pick(HOSTILE)
}

export function hostileText(random: Random): string {
  const value = hostileValue(random)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const DATES = ['2026-11-20', '2026-11-20T10:00:00Z', '2026-01-01T00:00:00+01:00'] as const

/** The same with one place in it replaced: sound but for that, it comes past what is checked first. */
export function mutate(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.isLucky(0.3)) return hostileValue(random)
  const keys = Object.keys(value)
  if (keys.length === 0) return hostileValue(random)
  const key = random.pick(keys)
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>
  if (random.isLucky(0.1)) delete copy[key]
  else if (random.isLucky(0.05)) copy[random.pick(HOSTILE_TEXTS)] = 1
  else copy[key] = mutate(copy[key], random)
  return copy
}
