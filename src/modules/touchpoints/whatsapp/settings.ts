import { API_URL, SECRET, defineSettings } from '../../services/service-settings.js'
import { APP_SECRET, COPY_APP_SECRET, VERIFY_TOKEN } from '../hub-settings.js'

/** Settings of a service of type whatsapp. */
export const WHATSAPP_SETTINGS = defineSettings(
  'whatsapp',
  'Whatsapp',
  {
    phoneNumberId: {
      description: "The provider's id of the telephone number.",
      form: {
        label: {
          en: 'Id of the telephone number',
          de: 'Kennung der Rufnummer',
          fr: 'Identifiant du numéro',
          nl: 'Id van het telefoonnummer',
        },
        help: {
          en: "The platform's id of the number, in digits: not the number itself.",
          de: 'Die Kennung der Nummer bei der Plattform, in Ziffern: nicht die Nummer selbst.',
          fr: 'L’identifiant du numéro chez la plateforme, en chiffres : pas le numéro lui-même.',
          nl: 'De id die het platform aan het nummer geeft, in cijfers: niet het nummer zelf.',
        },
      },
    },
    wabaId: {
      description: "The provider's id of the business account.",
      form: {
        label: {
          en: 'Id of the business account',
          de: 'Kennung des Geschäftskontos',
          fr: 'Identifiant du compte professionnel',
          nl: 'Id van het zakelijke account',
        },
      },
    },
    accessToken: {
      description: SECRET,
      boundTo: ['apiUrl', 'phoneNumberId', 'wabaId'],
      form: { label: { en: 'Access token', de: 'Zugriffstoken', fr: 'Jeton d’accès', nl: 'Toegangstoken' } },
    },
    appSecret: { ...APP_SECRET, boundTo: ['apiUrl', 'phoneNumberId'] },
    verifyToken: VERIFY_TOKEN,
    readMarks: {
      description: 'Whether consumers see that their messages were read; false by default.',
      type: 'boolean',
    },
    apiUrl: { description: API_URL },
  },
  {
    name: { en: 'WhatsApp', de: 'WhatsApp', fr: 'WhatsApp', nl: 'WhatsApp' },
    prepare: [
      {
        text: {
          en: 'In Meta’s App Dashboard, make an app with WhatsApp, and add your number.',
          de: 'Legen Sie im App-Dashboard von Meta eine App mit WhatsApp an und fügen Sie Ihre Nummer hinzu.',
          fr: 'Dans le tableau de bord de Meta, créez une app avec WhatsApp et ajoutez votre numéro.',
          nl: 'Maak in het App Dashboard van Meta een app met WhatsApp en voeg uw nummer toe.',
        },
      },
      {
        text: {
          en: 'Copy the id of the number and of the business account from API Setup.',
          de: 'Kopieren Sie die Kennungen der Nummer und des Geschäftskontos aus API-Einrichtung.',
          fr: 'Copiez les identifiants du numéro et du compte dans Configuration de l’API.',
          nl: 'Kopieer het id van het nummer en van het bedrijfsaccount uit API-configuratie.',
        },
      },
      {
        text: {
          en: 'In Business settings, make a system user, and a token of it that does not end, with whatsapp_business_messaging and whatsapp_business_management.',
          de: 'Legen Sie in den Unternehmenseinstellungen einen Systemnutzer an, und für ihn ein Token ohne Ablauf mit whatsapp_business_messaging und whatsapp_business_management.',
          fr: 'Dans les paramètres professionnels, créez un utilisateur système et un jeton sans expiration avec whatsapp_business_messaging et whatsapp_business_management.',
          nl: 'Maak in de bedrijfsinstellingen een systeemgebruiker, met een token zonder einde met whatsapp_business_messaging en whatsapp_business_management.',
        },
      },
      COPY_APP_SECRET,
    ],
    connect: [
      {
        text: {
          en: 'Under Configuration of WhatsApp, paste this address and the verify token, and subscribe to messages and message_template_status_update.',
          de: 'Fügen Sie unter Konfiguration von WhatsApp diese Adresse und das Prüftoken ein, und abonnieren Sie messages und message_template_status_update.',
          fr: 'Dans la configuration de WhatsApp, collez cette adresse et le jeton de vérification, et abonnez-vous à messages et message_template_status_update.',
          nl: 'Plak bij de configuratie van WhatsApp dit adres en het verificatietoken, en abonneer op messages en message_template_status_update.',
        },
        address: '/inbound/whatsapp/{service}',
        param: 'verifyToken',
      },
    ],
    icon: 'chat',
    test: {
      en: 'Asks the platform for the number, with what is stored.',
      de: 'Fragt die Plattform nach der Nummer, mit dem, was gespeichert ist.',
      fr: 'Demande le numéro à la plateforme, avec ce qui est enregistré.',
      nl: 'Vraagt het platform naar het nummer, met wat is opgeslagen.',
    },
  },
)
