/** A condition: the bot at this alias is governed by a line that keeps contacts from it, see `bots/`. */
export const hidesContactsSql = (alias: string): string =>
  `(${alias}.role = 'bot' and exists (select from bot_grant r
    where r.bot_id = ${alias}.id and r.action = 'readContact' and r.mode = 'none'))`
