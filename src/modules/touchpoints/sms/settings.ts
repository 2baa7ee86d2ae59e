import { API_URL, SECRET, defineSettings } from '../../services/service-settings.js'

/** Settings of a service of type sms. */
export const SMS_SETTINGS = defineSettings(
  'sms',
  'Sms',
  {
    accountSid: {
      description: "The provider's id of the account.",
      form: { label: { en: 'Account SID', de: 'Account SID', fr: 'Account SID', nl: 'Account SID' } },
    },
    authToken: {
      description: SECRET,
      boundTo: ['apiUrl', 'accountSid'],
      form: { label: { en: 'Auth token', de: 'Auth token', fr: 'Auth token', nl: 'Auth token' } },
    },
    from: {
      description: "Sender: a telephone number, a short code or a name; absent if the provider's service chooses.",
      form: {
        label: { en: 'Sender', de: 'Absender', fr: 'Expéditeur', nl: 'Afzender' },
        help: {
          en: 'A telephone number, a short code or a name.',
          de: 'Eine Telefonnummer, eine Kurzwahl oder ein Name.',
          fr: 'Un numéro de téléphone, un numéro court ou un nom.',
          nl: 'Een telefoonnummer, een korte code of een naam.',
        },
      },
    },
    messagingServiceSid: {
      description: "The provider's messaging service, which chooses a sender.",
      form: {
        label: {
          en: 'Messaging service SID',
          de: 'Messaging service SID',
          fr: 'Messaging service SID',
          nl: 'Messaging service SID',
        },
      },
    },
    apiUrl: { description: API_URL },
  },
  {
    name: { en: 'SMS', de: 'SMS', fr: 'SMS', nl: 'Sms' },
    prepare: [
      {
        text: {
          en: 'In Twilio’s console, copy the account SID and the auth token, and the number or the messaging service that sends.',
          de: 'Kopieren Sie in der Konsole von Twilio Account-SID und Auth-Token, und die Nummer oder den Messaging-Service, der sendet.',
          fr: 'Dans la console de Twilio, copiez le SID du compte et le jeton, et le numéro ou le service de messagerie qui envoie.',
          nl: 'Kopieer in de console van Twilio de account-SID en het auth-token, en het nummer of de messaging-service die verstuurt.',
        },
      },
    ],
    connect: [
      {
        text: {
          en: 'At the number or the messaging service, paste this address for messages that come in, by HTTP POST.',
          de: 'Fügen Sie bei der Nummer oder dem Messaging-Service diese Adresse für eingehende Nachrichten ein, mit HTTP POST.',
          fr: 'Au numéro ou au service de messagerie, collez cette adresse pour les messages entrants, par HTTP POST.',
          nl: 'Plak bij het nummer of de messaging-service dit adres voor inkomende berichten, met HTTP POST.',
        },
        address: '/inbound/sms/{service}',
      },
    ],
    icon: 'phone',
    test: {
      en: 'Asks the provider, with what is stored.',
      de: 'Fragt den Anbieter, mit dem, was gespeichert ist.',
      fr: 'Interroge le fournisseur, avec ce qui est enregistré.',
      nl: 'Vraagt de aanbieder, met wat is opgeslagen.',
    },
    testTo: 'telephone',
  },
)
