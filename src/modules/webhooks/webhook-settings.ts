import { defineSettings, type ParamSpecs } from '../services/service-settings.js'
import { WebhookFormat } from './webhook-format.js'

const EVENT_SPECS: ParamSpecs = {
  events: {
    description: 'Events to deliver, in which `*` stands for any text: `message.create.*.chat`. All if absent.',
    type: 'texts',
    form: {
      label: { en: 'Events', de: 'Ereignisse', fr: 'Événements', nl: 'Gebeurtenissen' },
      help: {
        en: 'One a line, such as message.*. Empty: all.',
        de: 'Eines je Zeile, wie message.*. Leer: alle.',
        fr: 'Un par ligne, comme message.*. Vide : tous.',
        nl: 'Eén per regel, zoals message.*. Leeg: alle.',
      },
    },
  },
  ownMessages: {
    description: 'Whether messages of the bot itself are delivered too; false by default.',
    type: 'boolean',
  },
  query: { description: 'A GraphQL selection of the payload, to which `data` is limited.' },
}

/** Settings of a service of type webhook. A secret must not be reused for another address, which could show what it signed. */
export const WEBHOOK_SETTINGS = defineSettings(
  'webhook',
  'Webhook',
  {
    url: {
      description: '`http` or `https`; with `user:password@`, requests use basic authentication. Needed.',
      form: { label: { en: 'Address', de: 'Adresse', fr: 'Adresse', nl: 'Adres' } },
    },
    format: {
      description: 'JSON if absent. The others are possible without a bot and a query.',
      type: WebhookFormat,
      form: {
        label: { en: 'Format', de: 'Format', fr: 'Format', nl: 'Formaat' },
        help: {
          en: 'For Slack and Teams, the address is that of an incoming webhook or a workflow. A test notice goes there first.',
          de: 'Für Slack und Teams ist die Adresse die eines eingehenden Webhooks oder eines Workflows. Zuerst geht ein Probehinweis dorthin.',
          fr: 'Pour Slack et Teams, l’adresse est celle d’un webhook entrant ou d’un workflow. Un avis d’essai y va d’abord.',
          nl: 'Voor Slack en Teams is het adres dat van een inkomende webhook of een workflow. Eerst gaat er een proefmelding heen.',
        },
        options: [
          [
            'json',
            {
              en: 'The event with its data',
              de: 'Das Ereignis mit seinen Daten',
              fr: 'L’événement avec ses données',
              nl: 'De gebeurtenis met haar gegevens',
            },
          ],
          [
            'slack',
            { en: 'Notices in Slack', de: 'Hinweise in Slack', fr: 'Des avis dans Slack', nl: 'Meldingen in Slack' },
          ],
          [
            'teams',
            {
              en: 'Notices in Microsoft Teams',
              de: 'Hinweise in Microsoft Teams',
              fr: 'Des avis dans Microsoft Teams',
              nl: 'Meldingen in Microsoft Teams',
            },
          ],
        ],
      },
    },
    ...EVENT_SPECS,
    secret: {
      description:
        'Secret of the signatures, generated if absent: `whsec_` and base64 of 6 to 256 bytes, or 6 to 256 printable ASCII ' +
        'characters. Reads return `********`.',
      boundTo: ['url'],
      form: {
        label: {
          en: 'Secret of the signature',
          de: 'Geheimnis der Signatur',
          fr: 'Secret de la signature',
          nl: 'Geheim van de handtekening',
        },
      },
    },
    bot: { description: "The bot that sends the messages in the receiver's answers.", type: 'user' },
  },
  {
    name: { en: 'Webhook', de: 'Webhook', fr: 'Webhook', nl: 'Webhook' },
    icon: 'hook',
    test: {
      en: 'Does the handshake with the address, or sends Slack or Teams a test notice. Nothing else is delivered.',
      de: 'Macht den Handschlag mit der Adresse, oder sendet Slack oder Teams einen Probehinweis. Sonst wird nichts zugestellt.',
      fr: 'Fait la poignée de main avec l’adresse, ou envoie à Slack ou à Teams un avis d’essai. Rien d’autre n’est livré.',
      nl: 'Doet de handdruk met het adres, of stuurt Slack of Teams een proefmelding. Verder wordt er niets bezorgd.',
    },
  },
)

/** Settings of a service of type events. */
export const EVENTS_SETTINGS = defineSettings(
  'events',
  'Events',
  {
    ...EVENT_SPECS,
    bot: { description: 'The bot that may take the events. Its own messages are none of them.', type: 'user' },
  },
  {
    name: {
      en: 'Events to take',
      de: 'Abholbare Ereignisse',
      fr: 'Événements à relever',
      nl: 'Op te halen gebeurtenissen',
    },
    icon: 'hook',
  },
)
