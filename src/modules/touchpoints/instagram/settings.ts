import { API_URL, defineSettings } from '../../services/service-settings.js'
import { APP_SECRET, VERIFY_TOKEN } from '../hub-settings.js'

/** Settings of a service of type instagram. */
export const INSTAGRAM_SETTINGS = defineSettings(
  'instagram',
  'Instagram',
  {
    accountId: {
      description: "The provider's id of the professional account, as its events name it.",
      form: {
        label: {
          en: 'Id of the account',
          de: 'Kennung des Kontos',
          fr: 'Identifiant du compte',
          nl: 'Id van het account',
        },
        help: {
          en: 'In digits: not the name of the account.',
          de: 'In Ziffern: nicht der Name des Kontos.',
          fr: 'En chiffres : pas le nom du compte.',
          nl: 'In cijfers: niet de naam van het account.',
        },
      },
    },
    accessToken: {
      description: 'Lasts 60 days, and is replaced by the server before. Secret: reads return `********`.',
      boundTo: ['apiUrl', 'accountId'],
      form: {
        label: { en: 'Access token', de: 'Zugriffstoken', fr: 'Jeton d’accès', nl: 'Toegangstoken' },
        help: {
          en: 'Lasts 60 days: the server replaces it before.',
          de: 'Gilt 60 Tage: der Server ersetzt es vorher.',
          fr: 'Vaut 60 jours : le serveur le remplace avant.',
          nl: 'Geldt 60 dagen: de server vervangt het eerder.',
        },
      },
    },
    appSecret: { ...APP_SECRET, boundTo: ['apiUrl', 'accountId'] },
    verifyToken: VERIFY_TOKEN,
    apiUrl: { description: API_URL },
  },
  {
    name: { en: 'Instagram', de: 'Instagram', fr: 'Instagram', nl: 'Instagram' },
    prepare: [
      {
        text: {
          en: 'In Meta’s App Dashboard, make an app with Instagram, and open API setup with Instagram login.',
          de: 'Legen Sie im App-Dashboard von Meta eine App mit Instagram an und öffnen Sie API-Einrichtung mit Instagram-Anmeldung.',
          fr: 'Dans le tableau de bord de Meta, créez une app avec Instagram et ouvrez la configuration de l’API avec connexion Instagram.',
          nl: 'Maak in het App Dashboard van Meta een app met Instagram en open API-configuratie met Instagram-aanmelding.',
        },
      },
      {
        text: {
          en: 'Copy the Instagram app secret from there: the secret of the app itself is another.',
          de: 'Kopieren Sie von dort das Geheimnis der Instagram-App: das der App selbst ist ein anderes.',
          fr: 'Copiez-y la clé secrète de l’app Instagram : celle de l’app elle-même est différente.',
          nl: 'Kopieer daar het geheim van de Instagram-app: dat van de app zelf is een ander.',
        },
      },
      {
        text: {
          en: 'Under Generate access tokens, add your professional account, copy its id and a token, and switch its webhook subscription on.',
          de: 'Fügen Sie unter Zugriffstoken generieren Ihr professionelles Konto hinzu, kopieren Sie seine Kennung und ein Token, und schalten Sie sein Webhook-Abonnement ein.',
          fr: 'Sous Générer des jetons d’accès, ajoutez votre compte professionnel, copiez son identifiant et un jeton, et activez son abonnement au webhook.',
          nl: 'Voeg bij Toegangstokens genereren uw professionele account toe, kopieer het id en een token, en zet het webhookabonnement aan.',
        },
      },
    ],
    connect: [
      {
        text: {
          en: 'Under Configure webhooks, paste this address and the verify token, and subscribe to messages, messaging_postbacks, messaging_seen, message_reactions and message_edit.',
          de: 'Fügen Sie unter Webhooks konfigurieren diese Adresse und das Prüftoken ein, und abonnieren Sie messages, messaging_postbacks, messaging_seen, message_reactions und message_edit.',
          fr: 'Sous Configurer les webhooks, collez cette adresse et le jeton de vérification, et abonnez-vous à messages, messaging_postbacks, messaging_seen, message_reactions et message_edit.',
          nl: 'Plak bij Webhooks configureren dit adres en het verificatietoken, en abonneer op messages, messaging_postbacks, messaging_seen, message_reactions en message_edit.',
        },
        address: '/inbound/instagram/{service}',
        param: 'verifyToken',
      },
    ],
    icon: 'chat',
    test: {
      en: 'Asks the platform for the account, and whether its messages come here.',
      de: 'Fragt die Plattform nach dem Konto, und ob seine Nachrichten hierher kommen.',
      fr: 'Demande le compte à la plateforme, et si ses messages arrivent ici.',
      nl: 'Vraagt het platform naar het account, en of zijn berichten hier aankomen.',
    },
  },
)
