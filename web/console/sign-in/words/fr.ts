import type { SignInWords } from './en.js'

export const fr = {
  by: (provider: string) => `Se connecter avec ${provider}`,
  or: 'ou',
  offered: (count: number) =>
    count === 1
      ? 'Votre organisation a un autre moyen de connexion, ci-dessous.'
      : 'Votre organisation a d’autres moyens de connexion, ci-dessous.',
  passwordMissing: 'Saisissez votre mot de passe.',
  passwordOrProvider: 'Saisissez votre mot de passe, ou choisissez un autre moyen ci-dessous.',
  refused: 'Vous n’êtes pas connecté',
  refusals: {
    LINK_NEEDED:
      'Vous avez un compte, mais il n’est pas encore lié à ce fournisseur. Connectez-vous avec votre mot de passe, puis liez-le dans Réglages, Sécurité.',
    NOT_PROVISIONED:
      'Le fournisseur vous connaît, mais vous n’avez pas de compte ici. Demandez à un administrateur de vous ajouter, ou de vous donner un rôle chez le fournisseur.',
    PROVIDER_UNAVAILABLE:
      'Le fournisseur ne répond pas. Réessayez dans une minute. Les autres moyens de connexion fonctionnent.',
    PROVIDER_REFUSED:
      'Le fournisseur ne vous a pas laissé entrer. Réessayez, et si cela continue, demandez à qui gère votre compte chez lui.',
    PROVIDER_ANSWER_INVALID:
      'La réponse du fournisseur n’a pas pu être vérifiée et n’a pas été utilisée. Recommencez, et si cela continue, prévenez un administrateur.',
    SIGN_IN_NOT_BEGUN:
      'Cette tentative était trop ancienne, déjà utilisée, ou commencée dans un autre navigateur. Recommencez.',
    RATE_LIMIT: 'Il y a trop de connexions depuis votre réseau en ce moment. Réessayez dans une minute.',
    RECORD_NOT_FOUND: 'Ce fournisseur n’est plus utilisé ici. Saisissez votre e-mail pour voir comment vous connecter.',
    CONFLICT:
      'Aucun compte n’a pu être créé pour vous : le nombre d’utilisateurs permis est peut-être atteint. Prévenez un administrateur.',
    NETWORK_NOT_ALLOWED:
      'Vous ne pouvez vous connecter que depuis les réseaux de votre organisation, et vous êtes ailleurs. Demandez à un administrateur si vous devez être admis.',
    ENROLMENT_REQUIRED:
      'Votre organisation exige un second facteur. Connectez-vous par e-mail et mot de passe, et configurez-le là.',
    PASSWORD_LOGIN_OFF:
      'Dans votre organisation, on se connecte par son fournisseur et non par un mot de passe. Saisissez votre e-mail pour le voir, et commencez là.',
    PASSWORD_COMMON:
      'Beaucoup emploient ce mot de passe, ou il se répète : on le devinerait en premier. Choisissez-en un autre.',
    PASSWORD_NAMES_USER: 'Le mot de passe contient votre nom ou votre adresse e-mail. Choisissez-en un autre.',
    TEMPORARILY_UNAVAILABLE: 'Le serveur n’a pas pu terminer. Réessayez dans une minute.',
  } as Record<string, string>,
  tooShort: (length) => `Votre organisation exige un mot de passe d’au moins ${length} caractères.`,
  otherRefusal: (reason: string) =>
    `Cela n’a pas fonctionné. Réessayez, et si cela continue, signalez à un administrateur : ${reason}.`,
  close: 'Fermer',
  password: {
    forgotTitle: 'Mot de passe oublié ?',
    forgotLead: 'Nous vous envoyons un lien pour en choisir un nouveau.',
    sendLink: 'Envoyer le lien',
    mailUnderWay: 'Si cette adresse est connue ici, un e-mail est en route. Son lien est valable une heure.',
    noMail:
      'Ce serveur n’envoie pas d’e-mail. Un administrateur peut vous créer un lien dans Administration, Utilisateurs.',
    toSignIn: 'Retour à la connexion',
    welcome: 'Bienvenue',
    welcomeLead: 'Choisissez un mot de passe, et vous y êtes.',
    newPassword: 'Un nouveau mot de passe',
    newPasswordLead: 'Il met fin à toutes les sessions ouvertes avec l’ancien.',
    passwordRule: 'Au moins 8 caractères.',
    setPassword: 'Définir le mot de passe',
    linkIncomplete: 'Cette adresse est incomplète : ouvrez le lien entier.',
    forgotAgain: 'Demander un autre lien',
  },
} satisfies SignInWords
