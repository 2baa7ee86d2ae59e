import { describe, expect, test } from '@jest/globals'
import { trimQuotes } from '../../../src/modules/touchpoints/email/quoted-text.js'

const QUOTE = '> Good morning Carl.\n> Sail or motor?\n'
const ANN = 'Ann <support@boats.example>'

describe('the text of a reply, without the quoted mail', () => {
  test.each([
    [
      'Gmail, en',
      `On Sat, Nov 21, 2026 at 10:00 AM Ann, Harbour Boats <\nsupport+abc@boats.example> wrote:\n\n${QUOTE}`,
    ],
    ['Gmail, nl', `Op za 21 nov 2026 om 10:00 schreef Ann, Harbour Boats <support@boats.example>:\n\n${QUOTE}`],
    ['Gmail, de', `Am Sa., 21. Nov. 2026 um 10:00 Uhr schrieb ${ANN}:\n\n${QUOTE}`],
    ['Gmail, fr', `Le sam. 21 nov. 2026 à 10:00, ${ANN} a\u00a0écrit\u00a0:\n\n${QUOTE}`],
    ['Apple Mail, en', `Sent from my iPhone\n\n> On 21 Nov 2026, at 10:00, ${ANN} wrote:\n> \n${QUOTE}`],
    [
      'Apple Mail, nl',
      `Verstuurd vanaf mijn iPhone\n\n> Op 21 nov 2026 om 10:00 heeft ${ANN} het volgende geschreven:\n> \n${QUOTE}`,
    ],
    ['Apple Mail, de', `Von meinem iPhone gesendet\n\n> Am 21.11.2026 um 10:00 schrieb ${ANN}:\n> \n${QUOTE}`],
    ['Apple Mail, fr', `Envoyé de mon iPhone\n\n> Le 21 nov. 2026 à 10:00, ${ANN} a écrit :\n> \n${QUOTE}`],
    [
      'Outlook, en',
      `${'_'.repeat(32)}\nFrom: ${ANN}\nSent: Saturday, November 21, 2026 10:00 AM\nTo: Carl <carl@example.com>\nSubject: Boats\n\nSail or motor?\n`,
    ],
    [
      'Outlook, nl',
      `Van: ${ANN}\nVerzonden: zaterdag 21 november 2026 10:00\nAan: Carl <carl@example.com>\nOnderwerp: Boten\n\nGoedemorgen.\n`,
    ],
    [
      'Outlook, de',
      `Von: ${ANN}\nGesendet: Samstag, 21. November 2026 10:00\nAn: Carl <carl@example.com>\nBetreff: Boote\n\nGuten Morgen.\n`,
    ],
    [
      'Outlook, fr',
      `De : ${ANN}\nEnvoyé : samedi 21 novembre 2026 10:00\nÀ : Carl <carl@example.com>\nObjet : Bateaux\n\nBonjour.\n`,
    ],
    ['Outlook, old', '-----Original Message-----\nFrom: Ann\nGood morning\n'],
    ['Thunderbird', `-- \nCarl Carlsson\nAmsterdam\n\nOn 21/11/2026 10:00, Ann wrote:\n${QUOTE}`],
    ['marks alone', QUOTE],
  ])('%s', (_client, quoted) => {
    expect(trimQuotes(`Sail, please.\n\n${quoted}`)).toEqual({ text: 'Sail, please.', isTrimmed: true })
  })

  test('an answer below the quote does not contain the quote', () => {
    const mail = `On 21/11/2026 10:00, Ann wrote:\n${QUOTE}\nSail, please.\n`
    expect(trimQuotes(mail)).toEqual({ text: 'Sail, please.', isTrimmed: true })
  })

  test.each([
    [
      'words that begin like a quote',
      'On Saturday I wrote:\nI want a boat.\nOp deze boot schreef de krant iets:\nMooi.',
    ],
    [
      'an answer between the lines',
      'See below.\n\nOn 21/11/2026 10:00, Ann wrote:\n> Sail or motor?\nSail.\n> For two?\nFor three.',
    ],
    ['nothing but a quote', QUOTE.trim()],
    ['From: without the rest of a header', 'From: Amsterdam\nTo: Rotterdam\nHow long does it take?'],
    ['plain words', 'Hello,\n\nI would like to buy a boat.\n\nCarl'],
  ])('%s: unchanged', (_what, mail) => {
    expect(trimQuotes(mail)).toEqual({ text: mail, isTrimmed: false })
  })

  test('any million characters are trimmed to a part of them', () => {
    const bombs = [
      'Op schreef a\n',
      'On ',
      ' \n',
      '> ',
      'Le 2026 < écrit ',
      'From: x\n',
      '-- \n',
      `${'_'.repeat(500)}\n`,
      'On 10:00 a@b\n',
    ]
    for (const bomb of bombs) {
      // With the square of their number it would be hours: npm run bench -- --only linear.
      const text = bomb.repeat(Math.ceil(1_000_000 / bomb.length))
      const lines = text.split('\n').map((line) => line.trimEnd())
      expect(lines.join('\n').includes(trimQuotes(text).text)).toBe(true)
    }
  })
})
