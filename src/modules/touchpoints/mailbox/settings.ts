import {
  ADDRESS_SPEC,
  CLIENT_ID_SPEC,
  CLIENT_SECRET_SPEC,
  FROM_NAME_SPEC,
  SIGNATURE_SPEC,
  REFRESH_TOKEN_SPEC,
  SCOPE_SPEC,
  UNPROVED_MAIL_SPEC,
} from '../email/mail-specs.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { AUTHORIZED_PATH } from '../../services/authorized-path.js'
import { SECRET, defineSettings } from '../../services/service-settings.js'

const AccessEnum = graphqlEnum('MailboxAccess', "Owner of a mailbox's servers.", {
  IMAP: ['imap', 'Any: `host` names them.'],
  GOOGLE: ['google', "Gmail and Google Workspace; what is sent is filed by Google's own servers."],
  MICROSOFT: ['microsoft', "Microsoft 365; what is sent is filed by Microsoft's own servers."],
})

const SecurityEnum = graphqlEnum('MailboxSecurity', 'Protection of the connection to the server of a mailbox.', {
  TLS: ['tls', 'From its first byte, usually at port 993.'],
  STARTTLS: ['starttls', 'Before the sign-in, usually at port 143.'],
  NONE: ['none', 'Not at all: to this machine alone, and where the operator allows private addresses.'],
})

/** Places that secrets go to: both mail servers as this user, and the server of tokens. */
const BOUND_TO = ['access', 'host', 'port', 'security', 'smtpHost', 'smtpPort', 'user']

/** Settings of a service of type mailbox. */
export const MAILBOX_SETTINGS = defineSettings(
  'mailbox',
  'Mailbox',
  {
    address: ADDRESS_SPEC,
    fromName: FROM_NAME_SPEC,
    signature: SIGNATURE_SPEC,
    access: {
      description: 'IMAP if absent.',
      type: AccessEnum,
      form: {
        label: { en: 'Mail servers', de: 'Mailserver', fr: 'Serveurs de messagerie', nl: 'Mailservers' },
        help: {
          en: 'For Google and Microsoft, leave the servers and ports below empty.',
          de: 'Für Google und Microsoft bleiben Server und Ports leer.',
          fr: 'Pour Google et Microsoft, laissez vides les serveurs et les ports.',
          nl: 'Laat voor Google en Microsoft de servers en poorten leeg.',
        },
        options: [
          [
            'imap',
            {
              en: 'Any, by IMAP and SMTP',
              de: 'Beliebige, über IMAP und SMTP',
              fr: 'Tous, par IMAP et SMTP',
              nl: 'Alle, via IMAP en SMTP',
            },
          ],
          ['google', { en: 'Google', de: 'Google', fr: 'Google', nl: 'Google' }],
          ['microsoft', { en: 'Microsoft 365', de: 'Microsoft 365', fr: 'Microsoft 365', nl: 'Microsoft 365' }],
        ],
      },
    },
    host: {
      description: 'Name of the IMAP server.',
      form: {
        label: { en: 'IMAP server', de: 'IMAP-Server', fr: 'Serveur IMAP', nl: 'IMAP-server' },
        help: {
          en: 'Such as imap.example.org.',
          de: 'Wie imap.example.org.',
          fr: 'Comme imap.example.org.',
          nl: 'Zoals imap.example.org.',
        },
      },
    },
    port: {
      description: '993 if absent, 143 for STARTTLS.',
      type: 'integer',
      form: {
        label: {
          en: 'Port of the IMAP server',
          de: 'Port des IMAP-Servers',
          fr: 'Port du serveur IMAP',
          nl: 'Poort van de IMAP-server',
        },
        help: {
          en: 'Empty: 993. At 143, STARTTLS.',
          de: 'Leer: 993. Bei 143 STARTTLS.',
          fr: 'Vide : 993. À 143, STARTTLS.',
          nl: 'Leeg: 993. Bij 143 STARTTLS.',
        },
      },
    },
    security: { description: 'TLS if absent, STARTTLS at port 143.', type: SecurityEnum },
    user: {
      description: "The account's name at the servers.",
      form: { label: { en: 'User', de: 'Benutzer', fr: 'Utilisateur', nl: 'Gebruiker' } },
    },
    password: {
      description: SECRET,
      boundTo: BOUND_TO,
      form: {
        label: { en: 'Password', de: 'Passwort', fr: 'Mot de passe', nl: 'Wachtwoord' },
        help: {
          en: 'Or an application with its tokens, below.',
          de: 'Oder eine Anwendung mit ihren Token, weiter unten.',
          fr: 'Ou une application avec ses jetons, plus bas.',
          nl: 'Of een toepassing met haar tokens, hieronder.',
        },
      },
    },
    folders: {
      description: 'Folders that are read, at most 20; `INBOX` if absent.',
      type: 'texts',
      form: {
        label: {
          en: 'Folders to read',
          de: 'Ordner, die gelesen werden',
          fr: 'Dossiers à lire',
          nl: 'Mappen die worden gelezen',
        },
        help: {
          en: 'One a line. Empty: INBOX. Mails are only read: they stay as they are.',
          de: 'Einer je Zeile. Leer: INBOX. Mails werden nur gelesen und bleiben, wie sie sind.',
          fr: 'Un par ligne. Vide : INBOX. Les mails sont seulement lus, et restent tels quels.',
          nl: 'Eén per regel. Leeg: INBOX. Mail wordt alleen gelezen en blijft zoals ze is.',
        },
      },
    },
    since: {
      description:
        'Mail that arrived before is not read: a date (ISO 8601) of the last 90 days; the time of the first write if absent.',
      form: {
        label: {
          en: 'Read mail from this date on',
          de: 'Mails ab diesem Tag lesen',
          fr: 'Lire les mails à partir de cette date',
          nl: 'Mail lezen vanaf deze datum',
        },
        help: {
          en: 'Such as 2026-11-01, at most 90 days ago. Empty: from now on.',
          de: 'Wie 2026-11-01, höchstens 90 Tage zurück. Leer: von jetzt an.',
          fr: 'Comme 2026-11-01, 90 jours en arrière au plus. Vide : à partir de maintenant.',
          nl: 'Zoals 2026-11-01, hoogstens 90 dagen terug. Leeg: vanaf nu.',
        },
      },
    },
    smtpHost: {
      description: 'Name of the SMTP server; if absent, `host` with `smtp.` in place of `imap.`.',
      form: {
        label: { en: 'SMTP server', de: 'SMTP-Server', fr: 'Serveur SMTP', nl: 'SMTP-server' },
        help: {
          en: 'Empty: as the IMAP server, with smtp. in place of imap.',
          de: 'Leer: wie der IMAP-Server, mit smtp. statt imap.',
          fr: 'Vide : comme le serveur IMAP, avec smtp. au lieu d’imap.',
          nl: 'Leeg: zoals de IMAP-server, met smtp. in plaats van imap.',
        },
      },
    },
    smtpPort: {
      description: '587 if absent; 465 is TLS from the first byte.',
      type: 'integer',
      form: {
        label: {
          en: 'Port of the SMTP server',
          de: 'Port des SMTP-Servers',
          fr: 'Port du serveur SMTP',
          nl: 'Poort van de SMTP-server',
        },
        help: {
          en: 'Empty: 587. At 465, TLS from the beginning.',
          de: 'Leer: 587. Bei 465 TLS von Anfang an.',
          fr: 'Vide : 587. À 465, TLS dès le début.',
          nl: 'Leeg: 587. Bij 465 TLS vanaf het begin.',
        },
      },
    },
    sentFolder: {
      description: 'Folder in which what is sent is filed; the one that the server names if absent.',
      form: {
        label: {
          en: 'Folder for what is sent',
          de: 'Ordner für Gesendetes',
          fr: 'Dossier des messages envoyés',
          nl: 'Map voor wat is verzonden',
        },
        help: {
          en: 'Empty: the one that the server names.',
          de: 'Leer: den der Server nennt.',
          fr: 'Vide : celui que nomme le serveur.',
          nl: 'Leeg: de map die de server noemt.',
        },
      },
    },
    clientId: {
      ...CLIENT_ID_SPEC,
      form: {
        ...CLIENT_ID_SPEC.form,
        help: {
          en: 'For servers that take access tokens (OAuth 2.0) in place of a password.',
          de: 'Für Server, die Zugriffstoken (OAuth 2.0) statt eines Passworts annehmen.',
          fr: 'Pour les serveurs qui acceptent des jetons d’accès (OAuth 2.0) au lieu d’un mot de passe.',
          nl: 'Voor servers die toegangstokens (OAuth 2.0) in plaats van een wachtwoord aannemen.',
        },
      },
    },
    clientSecret: { ...CLIENT_SECRET_SPEC, boundTo: [...BOUND_TO, 'tokenUrl', 'clientId'] },
    refreshToken: { ...REFRESH_TOKEN_SPEC, boundTo: [...BOUND_TO, 'tokenUrl', 'clientId'] },
    tokenUrl: {
      description: "Address that gives access tokens (OAuth 2.0), in place of a password; a provider's own if absent.",
      form: {
        label: {
          en: 'Address of access tokens',
          de: 'Adresse für Zugriffstoken',
          fr: 'Adresse des jetons d’accès',
          nl: 'Adres voor toegangstokens',
        },
      },
    },
    scope: SCOPE_SPEC,
    authservId: {
      description: 'Name of the mail server whose `Authentication-Results` are believed.',
      form: {
        label: {
          en: 'Mail server whose checks of senders are believed',
          de: 'Mailserver, dessen Prüfung der Absender gilt',
          fr: 'Serveur de mail dont la vérification des expéditeurs compte',
          nl: 'Mailserver waarvan de controle van afzenders telt',
        },
        help: {
          en: 'Such as mx.example.org: its Authentication-Results count.',
          de: 'Wie mx.example.org: seine Authentication-Results gelten.',
          fr: 'Comme mx.example.org : ses Authentication-Results comptent.',
          nl: 'Zoals mx.example.org: zijn Authentication-Results tellen.',
        },
      },
    },
    unprovedMail: UNPROVED_MAIL_SPEC,
  },
  {
    name: { en: 'Mailbox (IMAP)', de: 'Postfach (IMAP)', fr: 'Boîte aux lettres (IMAP)', nl: 'Postvak (IMAP)' },
    prepare: [
      {
        text: {
          en: 'At Google: switch on IMAP, and make an app password, or an OAuth client of the type “Web application” in the Google Cloud console, with the scope https://mail.google.com/ and this redirect URI.',
          de: 'Bei Google: schalten Sie IMAP ein, und legen Sie ein App-Passwort an, oder in der Google-Cloud-Konsole einen OAuth-Client vom Typ „Webanwendung“ mit dem Bereich https://mail.google.com/ und dieser Weiterleitungs-URI.',
          fr: 'Chez Google : activez IMAP et créez un mot de passe d’application, ou dans la console Google Cloud un client OAuth du type « Application Web » avec la portée https://mail.google.com/ et cet URI de redirection.',
          nl: 'Bij Google: zet IMAP aan, en maak een app-wachtwoord, of in de Google Cloud-console een OAuth-client van het type ‘Webapplicatie’ met het bereik https://mail.google.com/ en deze omleidings-URI.',
        },
        address: AUTHORIZED_PATH,
      },
      {
        text: {
          en: 'At Microsoft 365: register an application in Entra with the platform “Web”, the same redirect URI, and the delegated permissions IMAP.AccessAsUser.All and SMTP.Send; copy its id and a secret.',
          de: 'Bei Microsoft 365: registrieren Sie in Entra eine Anwendung mit der Plattform „Web“, derselben Umleitungs-URI und den delegierten Berechtigungen IMAP.AccessAsUser.All und SMTP.Send; kopieren Sie Kennung und Geheimnis.',
          fr: 'Chez Microsoft 365 : inscrivez dans Entra une application avec la plateforme « Web », le même URI de redirection et les autorisations déléguées IMAP.AccessAsUser.All et SMTP.Send ; copiez son identifiant et un secret.',
          nl: 'Bij Microsoft 365: registreer in Entra een toepassing met het platform ‘Web’, dezelfde omleidings-URI en de gedelegeerde machtigingen IMAP.AccessAsUser.All en SMTP.Send; kopieer id en geheim.',
        },
      },
      {
        text: {
          en: 'Save its id and secret here. “Set up” then offers to sign in as the mailbox, which grants its use.',
          de: 'Speichern Sie Kennung und Geheimnis hier. „Einrichten“ bietet dann an, sich als das Postfach anzumelden, das so den Zugriff erlaubt.',
          fr: 'Enregistrez ici l’identifiant et le secret. « Configurer » propose ensuite de se connecter avec la boîte, qui autorise ainsi l’accès.',
          nl: 'Bewaar id en geheim hier. ‘Instellen’ biedt dan aan om als het postvak aan te melden, dat zo de toegang geeft.',
        },
      },
    ],
    signIn: {
      param: 'access',
      options: [
        [
          'google',
          {
            en: 'Sign in at Google',
            de: 'Bei Google anmelden',
            fr: 'Se connecter chez Google',
            nl: 'Aanmelden bij Google',
          },
        ],
        [
          'microsoft',
          {
            en: 'Sign in at Microsoft 365',
            de: 'Bei Microsoft 365 anmelden',
            fr: 'Se connecter chez Microsoft 365',
            nl: 'Aanmelden bij Microsoft 365',
          },
        ],
      ],
    },
    icon: 'mail',
    test: {
      en: 'Signs in at both mail servers and lists the folders. Nothing is sent.',
      de: 'Meldet sich bei beiden Mailservern an und listet die Ordner. Gesendet wird nichts.',
      fr: 'S’identifie auprès des deux serveurs et liste les dossiers. Rien n’est envoyé.',
      nl: 'Meldt zich aan bij beide mailservers en toont de mappen. Er wordt niets verzonden.',
    },
  },
)
