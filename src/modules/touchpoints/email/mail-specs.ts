import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { SIGNATURE } from '../../../platform/signature.js'
import { SECRET, type ParamSpec } from '../../services/service-settings.js'

/*
 * Params that all services for mail have, whatever they are named there. Secrets are bound where they are used.
 */

export const ADDRESS_SPEC: ParamSpec = {
  description: 'Address that consumers write to, and sender of mails; of one service only.',
  form: {
    label: {
      en: 'Address that consumers write to',
      de: 'Adresse, an die Kunden schreiben',
      fr: 'Adresse à laquelle les clients écrivent',
      nl: 'Adres waaraan klanten schrijven',
    },
  },
}

export const FROM_NAME_SPEC: ParamSpec = {
  description: "Sender's name.",
  form: {
    label: {
      en: 'Name of the sender',
      de: 'Name des Absenders',
      fr: 'Nom de l’expéditeur',
      nl: 'Naam van de afzender',
    },
  },
}

export const CLIENT_SECRET_SPEC: ParamSpec = {
  description: SECRET,
  form: {
    label: {
      en: 'Application secret',
      de: 'Geheimnis der Anwendung',
      fr: 'Secret de l’application',
      nl: 'Geheim van de toepassing',
    },
  },
}

export const REFRESH_TOKEN_SPEC: ParamSpec = {
  description: "The account's grant; without it, the application's own. Secret: reads return `********`.",
  form: {
    label: {
      en: 'Refresh token',
      de: 'Aktualisierungstoken',
      fr: 'Jeton de renouvellement',
      nl: 'Vernieuwingstoken',
    },
  },
}

export const SCOPE_SPEC: ParamSpec = {
  description: 'Scopes of the tokens, separated by spaces.',
  form: {
    label: {
      en: 'Scope of the tokens',
      de: 'Bereich der Token',
      fr: 'Portée des jetons',
      nl: 'Bereik van de tokens',
    },
  },
}

export const CLIENT_ID_SPEC = {
  description: 'Id of the application at the token server.',
  form: {
    label: {
      en: 'Application id',
      de: 'Kennung der Anwendung',
      fr: 'Identifiant de l’application',
      nl: 'Id van de toepassing',
    },
  },
} satisfies ParamSpec

export const SIGNATURE_SPEC: ParamSpec = {
  description: `Signature below answers where neither the channel nor the agent has one: ${SIGNATURE}`,
  form: {
    label: { en: 'Signature', de: 'Signatur', fr: 'Signature', nl: 'Handtekening' },
    help: {
      en: 'Text or HTML, where neither the channel nor the agent has one. {{ agent.name }} is the name of who writes.',
      de: 'Text oder HTML, wo weder Kanal noch Agent eine haben. {{ agent.name }} ist der Name dessen, der schreibt.',
      fr: 'Texte ou HTML, là où ni le canal ni l’agent n’en a. {{ agent.name }} est le nom de qui écrit.',
      nl: 'Tekst of HTML, waar kanaal noch agent er een heeft. {{ agent.name }} is de naam van wie schrijft.',
    },
    isLong: true,
  },
}

const UnprovedMailEnum = graphqlEnum('UnprovedMail', 'Treatment of mail whose sender nothing proves.', {
  SHOW: ['show', 'Agents see that somebody else may have written it.'],
  CONVERSATION: ['conversation', 'Likewise, and it joins no conversation but one that such mail began.'],
  REFUSE: ['refuse', 'No message is made of it.'],
})

export const UNPROVED_MAIL_SPEC: ParamSpec = {
  description: 'SHOW if absent.',
  type: UnprovedMailEnum,
  form: {
    label: {
      en: 'Mail whose sender nothing proves',
      de: 'Mails, deren Absender nichts beweist',
      fr: 'Mails dont rien ne prouve l’expéditeur',
      nl: 'Mail waarvan niets de afzender bewijst',
    },
    options: [
      [
        'show',
        { en: 'Show it, marked', de: 'Zeigen, gekennzeichnet', fr: 'Les montrer, marqués', nl: 'Tonen, gemarkeerd' },
      ],
      [
        'conversation',
        {
          en: 'A conversation of its own',
          de: 'In ein eigenes Gespräch',
          fr: 'Dans une conversation à part',
          nl: 'In een eigen gesprek',
        },
      ],
      ['refuse', { en: 'Refuse it', de: 'Ablehnen', fr: 'Les refuser', nl: 'Weigeren' }],
    ],
  },
}
