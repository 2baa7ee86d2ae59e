import {
  ADDRESS_SPEC,
  CLIENT_ID_SPEC,
  CLIENT_SECRET_SPEC,
  FROM_NAME_SPEC,
  SIGNATURE_SPEC,
  REFRESH_TOKEN_SPEC,
  SCOPE_SPEC,
  UNPROVED_MAIL_SPEC,
} from './mail-specs.js'
import { TOKEN_BOUND_TO } from './smtp-token-params.js'
import { SECRET, defineSettings } from '../../services/service-settings.js'

/** Settings of a service of type email. */
export const EMAIL_SETTINGS = defineSettings(
  'email',
  'Email',
  {
    address: ADDRESS_SPEC,
    fromName: FROM_NAME_SPEC,
    signature: SIGNATURE_SPEC,
    smtpUrl: {
      description: "Mail server to send by, such as `smtp://host:587`, in place of the installation's.",
      form: {
        label: { en: 'Mail server', de: 'Mailserver', fr: 'Serveur de messagerie', nl: 'Mailserver' },
        help: {
          en: 'Such as smtp://mail.example.org:587. Empty: the server of this installation.',
          de: 'Wie smtp://mail.example.org:587. Leer: der Server dieser Installation.',
          fr: 'Comme smtp://mail.example.org:587. Vide : le serveur de cette installation.',
          nl: 'Zoals smtp://mail.example.org:587. Leeg: de server van deze installatie.',
        },
      },
    },
    smtpUser: {
      description: 'User name at the mail server.',
      form: {
        label: {
          en: 'User at the mail server',
          de: 'Benutzer am Mailserver',
          fr: 'Utilisateur du serveur',
          nl: 'Gebruiker bij de mailserver',
        },
      },
    },
    smtpPassword: {
      description: SECRET,
      boundTo: ['smtpUrl', 'smtpUser'],
      form: {
        label: {
          en: 'Password at the mail server',
          de: 'Passwort am Mailserver',
          fr: 'Mot de passe du serveur',
          nl: 'Wachtwoord bij de mailserver',
        },
      },
    },
    smtpTokenUrl: {
      description:
        'Address that gives access tokens (OAuth 2.0) for a mail server that takes them in place of passwords.',
      form: {
        label: {
          en: 'Address of access tokens',
          de: 'Adresse für Zugriffstoken',
          fr: 'Adresse des jetons d’accès',
          nl: 'Adres voor toegangstokens',
        },
        help: {
          en: 'For a mail server that takes access tokens (OAuth 2.0) in place of a password.',
          de: 'Für einen Mailserver, der Zugriffstoken (OAuth 2.0) statt eines Passworts annimmt.',
          fr: 'Pour un serveur qui accepte des jetons d’accès (OAuth 2.0) au lieu d’un mot de passe.',
          nl: 'Voor een mailserver die toegangstokens (OAuth 2.0) in plaats van een wachtwoord aanneemt.',
        },
      },
    },
    smtpClientId: CLIENT_ID_SPEC,
    smtpClientSecret: { ...CLIENT_SECRET_SPEC, boundTo: TOKEN_BOUND_TO },
    smtpRefreshToken: { ...REFRESH_TOKEN_SPEC, boundTo: TOKEN_BOUND_TO },
    smtpScope: SCOPE_SPEC,
    authHosts: {
      description: 'Mail servers whose `Authentication-Results` are believed in mail that they hand over.',
      type: 'texts',
      form: {
        label: {
          en: 'Mail servers whose checks of senders are believed',
          de: 'Mailserver, deren Prüfung der Absender gilt',
          fr: 'Serveurs de mail dont la vérification des expéditeurs compte',
          nl: 'Mailservers waarvan de controle van afzenders telt',
        },
        help: {
          en: 'One a line, such as mx.example.org: of mail that they hand over, their Authentication-Results count.',
          de: 'Einer je Zeile, wie mx.example.org: bei Mails, die sie übergeben, gelten ihre Authentication-Results.',
          fr: 'Un par ligne, comme mx.example.org : pour les mails qu’ils remettent, leurs Authentication-Results comptent.',
          nl: 'Eén per regel, zoals mx.example.org: voor mail die zij afleveren tellen hun Authentication-Results.',
        },
      },
    },
    unprovedMail: UNPROVED_MAIL_SPEC,
    inboundSecret: {
      description: 'Secret of `POST /inbound/email/<service>`, generated if absent: reads return `********`.',
      boundTo: [],
    },
    host: { description: 'Stored for legacy clients, without an effect.', isLegacy: true },
    port: { description: 'Stored for legacy clients, without an effect.', isLegacy: true },
  },
  {
    name: { en: 'Email', de: 'E-Mail', fr: 'E-mail', nl: 'E-mail' },
    connect: [
      {
        text: {
          en: 'Have your mail server hand over what it receives: by SMTP to this server, or by HTTP POST to this address, with the secret as described in the guide.',
          de: 'Lassen Sie Ihren Mailserver übergeben, was er empfängt: per SMTP an diesen Server, oder per HTTP POST an diese Adresse, mit dem Geheimnis, wie die Anleitung sagt.',
          fr: 'Faites remettre par votre serveur de mail ce qu’il reçoit : par SMTP à ce serveur, ou par HTTP POST à cette adresse, avec le secret, comme le dit le guide.',
          nl: 'Laat uw mailserver overdragen wat hij ontvangt: met SMTP aan deze server, of met HTTP POST aan dit adres, met het geheim, zoals de handleiding zegt.',
        },
        address: '/inbound/email/{service}',
        param: 'inboundSecret',
      },
    ],
    icon: 'mail',
    test: {
      en: 'A mail goes to your own address.',
      de: 'Eine E-Mail geht an Ihre eigene Adresse.',
      fr: 'Un e-mail part à votre propre adresse.',
      nl: 'Er gaat een mail naar uw eigen adres.',
    },
  },
)
