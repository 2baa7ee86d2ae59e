/** SQL: tells whether a text is an id: a command's metadata may name anything. */
export const isIdSql = (text: string): string => `${text} ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'`

/** SQL: the files of what bots propose, proposed or begin to say in conversations, which go with these. */
export const filesToComeSql = (conversations: string): string => `
select coalesce(new_message #>> '{meta,fileId}', new_message ->> 'fileId') as file from proposal where conversation_id = any(${conversations})
union select saying #>> '{newMessage,meta,fileId}' from message_stream where conversation_id = any(${conversations})`

/** SQL: the attachments that a conversation leads to, as ids, of which an erasure of its contact may find it gone. */
export const filesOfSql = (conversation: string): string => `
select file::uuid from (
  select meta ->> 'fileId' as file from message where conversation_id = ${conversation} and meta ? 'fileId'
  union ${filesToComeSql(`array[${conversation}]`)}
) named where ${isIdSql('file')}`
