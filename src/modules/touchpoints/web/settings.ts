import { defineSettings } from '../../services/service-settings.js'

/** Settings of a service of type web. */
export const WEB_SETTINGS = defineSettings(
  'web',
  'Web',
  {
    title: {
      description: 'Heading of the widget, at most 100 characters.',
      form: { label: { en: 'Heading', de: 'Überschrift', fr: 'En-tête', nl: 'Kop' } },
    },
    greeting: {
      description: 'Text that the widget shows first, at most 2,000 characters.',
      form: { label: { en: 'Greeting', de: 'Begrüßung', fr: 'Accueil', nl: 'Begroeting' } },
    },
    accent: {
      description: 'Colour, such as `#0b5c8f`.',
      form: {
        label: { en: 'Colour', de: 'Farbe', fr: 'Couleur', nl: 'Kleur' },
        help: {
          en: 'Such as #0b5c8f. Empty: blue.',
          de: 'Wie #0b5c8f. Leer: blau.',
          fr: 'Comme #0b5c8f. Vide : bleu.',
          nl: 'Zoals #0b5c8f. Leeg: blauw.',
        },
      },
    },
    allowedOrigins: {
      description:
        'Origins of the sites that may show the widget, at most 100; any if absent. Pages of the server itself always may.',
      type: 'texts',
      form: {
        label: {
          en: 'Sites that may show it',
          de: 'Seiten, die ihn zeigen dürfen',
          fr: 'Sites qui peuvent le montrer',
          nl: 'Sites die hem mogen tonen',
        },
        help: {
          en: 'One a line, as https://example.org. Empty: any.',
          de: 'Eine je Zeile, wie https://example.org. Leer: alle.',
          fr: 'Un par ligne, comme https://example.org. Vide : tous.',
          nl: 'Eén per regel, zoals https://example.org. Leeg: alle.',
        },
      },
    },
  },
  {
    name: { en: 'Web chat', de: 'Webchat', fr: 'Chat web', nl: 'Webchat' },
    icon: 'web',
  },
)
