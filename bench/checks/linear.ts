import { LinearExpression } from '../../src/platform/content/linear-expression.js'
import { createPasswordHasher } from '../../src/modules/auth/passwords.js'
import { trimQuotes } from '../../src/modules/touchpoints/email/quoted-text.js'
import { isQuick, median, short, type Figure } from '../harness/figures.js'

const LENGTH = 50_000
const QUICK_LENGTH = 2_000
const TIMES = 4
const ROUNDS = 9
/** The most for four times the text: with the square of its length it would be sixteen. */
const LINEAR_MAX = 8

const EXPRESSIONS: readonly [source: string, subject: string][] = [
  ['(a+)+$', 'a'],
  ['(x+x+)+y', 'x'],
  ['(.*)*(.*)*(.*)*b', 'a'],
  ['(a|b)*a(a|b){15}$', 'ab'],
]
const MAILS = ['On ', ' \n', '> ', 'Le 2026 < écrit ', 'From: x\n', '-- \n', 'On 10:00 a@b\n']

/** Measures work on hostile input against the same work on a quarter of it, and a sign-in without a user against one with. */
export async function checkLinear(): Promise<Figure[]> {
  const length = isQuick() ? QUICK_LENGTH : LENGTH
  return [
    ...EXPRESSIONS.map(([source, piece]) => {
      const expression = new LinearExpression(source)
      return grown(`the expression ${source}`, length, (size) =>
        expression.test(`${textOf(piece, size)}!`, 2 * TIMES * size),
      )
    }),
    ...MAILS.map((piece) =>
      grown(`a mail of ${JSON.stringify(piece)}`, length, (size) => trimQuotes(textOf(piece, size))),
    ),
    await unknownUser(),
  ]
}

const textOf = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length))

function grown(name: string, length: number, work: (size: number) => unknown): Figure {
  const times = { small: [] as number[], large: [] as number[] }
  work(length)
  for (let round = 0; round < (isQuick() ? 1 : ROUNDS); round++) {
    times.small.push(timeOf(() => work(length)))
    times.large.push(timeOf(() => work(TIMES * length)))
  }
  return {
    name: `${name}, ${TIMES} times as long`,
    ratio: median(times.large) / median(times.small),
    aim: LINEAR_MAX,
    isTime: true,
    product: `${short(median(times.large))} ms for ${(TIMES * length).toLocaleString('en-US')} characters`,
    floor: `${short(median(times.small))} ms for ${length.toLocaleString('en-US')}`,
    how: `In process, CPU time, medians of ${ROUNDS} rounds in turns. With the square of the length it would be ${TIMES * TIMES}.`,
  }
}

/** CPU of this process, to which others can add nothing. @returns ms */
function timeOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

async function unknownUser(): Promise<Figure> {
  const hasher = createPasswordHasher()
  const hashed = await hasher.hash('correct horse')
  const times = { known: [] as number[], unknown: [] as number[] }
  const timed = async (of: string | undefined): Promise<number> => {
    const since = performance.now()
    await hasher.verify(of, 'wrong')
    return performance.now() - since
  }
  for (let round = 0; round < (isQuick() ? 1 : 5 * ROUNDS); round++) {
    times.known.push(await timed(hashed))
    times.unknown.push(await timed(undefined))
  }
  return {
    name: 'a password that is compared with no user',
    ratio: median(times.unknown) / median(times.known),
    aim: null,
    isTime: true,
    product: `${short(median(times.unknown))} ms`,
    floor: `${short(median(times.known))} ms with a user's hash`,
    how: `In process, medians of ${5 * ROUNDS} rounds in turns: 1 tells a guesser nothing.`,
  }
}
