import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { API_URL, defineSettings } from '../../services/service-settings.js'

const ReceiveEnum = graphqlEnum('TelegramReceive', 'The way in which updates of a bot arrive.', {
  WEBHOOK: ['webhook', "The platform calls the server's address."],
  POLL: ['poll', 'The server, which needs no public address, fetches them.'],
})

/** Settings of a service of type telegram. */
export const TELEGRAM_SETTINGS = defineSettings(
  'telegram',
  'Telegram',
  {
    botToken: {
      description: "The bot's token: reads return `********`.",
      boundTo: ['apiUrl'],
      form: {
        label: { en: 'Token of the bot', de: 'Token des Bots', fr: 'Jeton du bot', nl: 'Token van de bot' },
      },
    },
    receive: {
      description: 'By WEBHOOK if absent.',
      type: ReceiveEnum,
      form: {
        label: {
          en: 'How messages arrive',
          de: 'Wie Nachrichten ankommen',
          fr: 'Arrivée des messages',
          nl: 'Hoe berichten aankomen',
        },
        help: {
          en: 'Fetching is for servers without a public https address. The platform is told by itself when you save.',
          de: 'Abholen ist für Server ohne öffentliche https-Adresse. Die Plattform erfährt es beim Speichern von selbst.',
          fr: 'Aller les chercher convient aux serveurs sans adresse https publique. La plateforme est prévenue à l’enregistrement.',
          nl: 'Ophalen is voor servers zonder openbaar https-adres. Het platform hoort het vanzelf bij het opslaan.',
        },
        options: [
          [
            'webhook',
            {
              en: 'The platform calls this server',
              de: 'Die Plattform ruft diesen Server auf',
              fr: 'La plateforme appelle ce serveur',
              nl: 'Het platform roept deze server aan',
            },
          ],
          [
            'poll',
            {
              en: 'This server fetches them',
              de: 'Dieser Server holt sie ab',
              fr: 'Ce serveur va les chercher',
              nl: 'Deze server haalt ze op',
            },
          ],
        ],
      },
    },
    webhookSecret: {
      description: "Secret of the platform's calls, generated if absent: reads return `********`.",
      boundTo: ['apiUrl'],
      form: {
        label: {
          en: 'Secret of the webhook',
          de: 'Geheimnis des Webhooks',
          fr: 'Secret du webhook',
          nl: 'Geheim van de webhook',
        },
        help: {
          en: 'Proves the platform’s calls. Empty: one is made.',
          de: 'Beweist die Aufrufe der Plattform. Leer: eines wird erzeugt.',
          fr: 'Prouve les appels de la plateforme. Vide : il est créé.',
          nl: 'Bewijst de aanroepen van het platform. Leeg: er wordt een gemaakt.',
        },
      },
    },
    apiUrl: { description: API_URL },
  },
  {
    name: { en: 'Telegram', de: 'Telegram', fr: 'Telegram', nl: 'Telegram' },
    prepare: [
      {
        text: {
          en: 'In Telegram, write /newbot to @BotFather, and copy the token that it gives you.',
          de: 'Schreiben Sie in Telegram /newbot an @BotFather und kopieren Sie das Token, das Sie bekommen.',
          fr: 'Dans Telegram, écrivez /newbot à @BotFather et copiez le jeton qu’il vous donne.',
          nl: 'Schrijf in Telegram /newbot aan @BotFather en kopieer het token dat u krijgt.',
        },
      },
      {
        text: {
          en: 'Write /setjoingroups to it, and switch groups off.',
          de: 'Schreiben Sie ihm /setjoingroups und schalten Sie Gruppen aus.',
          fr: 'Écrivez-lui /setjoingroups et désactivez les groupes.',
          nl: 'Schrijf het /setjoingroups en zet groepen uit.',
        },
      },
    ],
    icon: 'chat',
    test: {
      en: 'Asks the platform for the bot, and whether its messages come here.',
      de: 'Fragt die Plattform nach dem Bot, und ob seine Nachrichten hierher kommen.',
      fr: 'Demande le bot à la plateforme, et si ses messages arrivent ici.',
      nl: 'Vraagt het platform naar de bot, en of zijn berichten hier aankomen.',
    },
  },
)
