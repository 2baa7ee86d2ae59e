import { API_URL, SECRET, defineSettings } from '../../services/service-settings.js'
import { APP_SECRET, COPY_APP_SECRET, VERIFY_TOKEN } from '../hub-settings.js'

/** Settings of a service of type messenger. */
export const MESSENGER_SETTINGS = defineSettings(
  'messenger',
  'Messenger',
  {
    pageId: {
      description: 'The page that consumers write to.',
      form: { label: { en: 'Page', de: 'Seite', fr: 'Page', nl: 'Pagina' } },
    },
    pageAccessToken: {
      description: SECRET,
      boundTo: ['apiUrl', 'pageId'],
      form: {
        label: {
          en: 'Access token of the page',
          de: 'Zugriffstoken der Seite',
          fr: 'Jeton d’accès de la page',
          nl: 'Toegangstoken van de pagina',
        },
      },
    },
    appSecret: { ...APP_SECRET, boundTo: ['apiUrl', 'pageId'] },
    verifyToken: VERIFY_TOKEN,
    apiUrl: { description: API_URL },
  },
  {
    name: { en: 'Messenger', de: 'Messenger', fr: 'Messenger', nl: 'Messenger' },
    prepare: [
      {
        text: {
          en: 'In Meta’s App Dashboard, make an app with Messenger, and connect your page.',
          de: 'Legen Sie im App-Dashboard von Meta eine App mit Messenger an und verbinden Sie Ihre Seite.',
          fr: 'Dans le tableau de bord de Meta, créez une app avec Messenger et connectez votre page.',
          nl: 'Maak in het App Dashboard van Meta een app met Messenger en koppel uw pagina.',
        },
      },
      {
        text: {
          en: 'Copy the page’s id and an access token with pages_messaging.',
          de: 'Kopieren Sie die Kennung der Seite und ein Zugriffstoken mit pages_messaging.',
          fr: 'Copiez l’identifiant de la page et un jeton d’accès avec pages_messaging.',
          nl: 'Kopieer het id van de pagina en een toegangstoken met pages_messaging.',
        },
      },
      COPY_APP_SECRET,
    ],
    connect: [
      {
        text: {
          en: 'Under Webhooks of Messenger, paste this address and the verify token, and subscribe to messages, messaging_postbacks, message_deliveries, message_reads, message_reactions and message_edits.',
          de: 'Fügen Sie unter Webhooks von Messenger diese Adresse und das Prüftoken ein, und abonnieren Sie messages, messaging_postbacks, message_deliveries, message_reads, message_reactions und message_edits.',
          fr: 'Dans les webhooks de Messenger, collez cette adresse et le jeton de vérification, et abonnez-vous à messages, messaging_postbacks, message_deliveries, message_reads, message_reactions et message_edits.',
          nl: 'Plak bij de webhooks van Messenger dit adres en het verificatietoken, en abonneer op messages, messaging_postbacks, message_deliveries, message_reads, message_reactions en message_edits.',
        },
        address: '/inbound/messenger/{service}',
        param: 'verifyToken',
      },
    ],
    icon: 'chat',
    test: {
      en: 'Asks the platform for the page, with what is stored.',
      de: 'Fragt die Plattform nach der Seite, mit dem, was gespeichert ist.',
      fr: 'Demande la page à la plateforme, avec ce qui est enregistré.',
      nl: 'Vraagt het platform naar de pagina, met wat is opgeslagen.',
    },
  },
)
