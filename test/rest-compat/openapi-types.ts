// Made by generate-types.mjs of openapi.json: do not edit. df5c7ca4fbb40012f798fab33b1a4d172ba8c70f284b7d6edd5c21a4bafd71e4
export interface components { schemas: {
"TokenResponse": {
"tokenType": string
"token": string
"refreshToken": string
"user"?: string
"organization": string
"expiresAt": string
"scope": string
}
"FormField": {
"id": string
"key": string
"label": string
"type": "text" | "textarea" | "email" | "telephone" | "number" | "date" | "boolean" | "select" | "multiselect" | "url"
"required": boolean
"options": (string)[]
"placeholder"?: string
"default"?: unknown
"pattern"?: string
"min"?: number
"max"?: number
"profileField"?: string
"name": string
}
"Form": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"isStatic": boolean
"fields": (components["schemas"]["FormField"])[]
"email": (string)[]
"tags": (string)[]
"meta"?: { [key: string]: unknown }
"isTemplate": boolean
"createdAt": string
"updatedAt": string
}
"Organization": {
"id": string
"name": string
"displayName"?: string
"url"?: string
"email"?: string
"industry"?: string
"logo"?: string
"country"?: string
"locale"?: string
"timezone"?: string
"parent"?: (string) | (components["schemas"]["Organization"])
"path": string
"level": number
"status": "active"
"stopwords": (string)[]
"categories": ({
"name": string
"forms": ((string) | (components["schemas"]["Form"]))[]
})[]
"commands"?: (string)[]
"profileFields"?: { [key: string]: unknown }
"tags"?: (string)[]
"meta"?: { [key: string]: unknown }
"createdAt": string
"updatedAt": string
}
"OrganizationName": {
"id": string
"name": string
"displayName": string
}
"UserSettings": {
"timezone"?: string
"timezoneSet": boolean
"locale": "en" | "nl" | "de" | "fr"
"localeSet": boolean
"audioOnChat": boolean
"audioOnMessage": boolean
"notifyOnChat": boolean
"notifyOnMessage": boolean
"tabdotNotify": boolean
"tabdotMessage": boolean
"pushNotify": boolean
"focusOnAccept": boolean
"notifications": (string)[]
"cannedResponses": (string)[]
}
"User": {
"id": string
"familyName"?: string
"givenName"?: string
"additionalName"?: string
"displayName": string
"name": string
"email"?: string
"phone"?: string
"avatar"?: string
"organization": (string) | (components["schemas"]["Organization"])
"organizations"?: ({
"orgPath": string
"organization": (string) | (components["schemas"]["OrganizationName"])
"selected": boolean
"role": "viewer" | "agent" | "bot" | "admin" | "owner"
"level": number
})[]
"role": "viewer" | "agent" | "bot" | "admin" | "owner"
"settings"?: components["schemas"]["UserSettings"]
"meta"?: { [key: string]: unknown }
"disclosure"?: { [key: string]: unknown }
"status"?: "queued" | "invited" | "active" | "archived"
"apiToken"?: string
"provider"?: string
"lastLogin"?: string
"createdAt": string
"updatedAt": string
}
"UserSettingsInput": {
"timezone"?: string | null
"timezoneSet"?: boolean | null
"locale"?: "en" | "nl" | "de" | "fr" | null
"localeSet"?: boolean | null
"audioOnChat"?: boolean | null
"audioOnMessage"?: boolean | null
"notifyOnChat"?: boolean | null
"notifyOnMessage"?: boolean | null
"tabdotNotify"?: boolean | null
"tabdotMessage"?: boolean | null
"pushNotify"?: boolean | null
"focusOnAccept"?: boolean | null
"notifications"?: (string)[] | null
"cannedResponses"?: (string)[] | null
}
"CreateUserInput": {
"email": string
"familyName"?: string | null
"givenName"?: string | null
"additionalName"?: string | null
"displayName"?: string | null
"name"?: string | null
"phone"?: string | null
"password"?: string | null
"avatar"?: string | null
"organization"?: string | null
"role"?: "viewer" | "agent" | "bot" | "admin" | "owner" | null
"settings"?: (components["schemas"]["UserSettingsInput"]) | (null)
"meta"?: { [key: string]: unknown } | null
"disclosure"?: { [key: string]: unknown } | null
"status"?: "queued" | "invited" | "active" | "archived" | null
"invite"?: boolean | null
"scopes"?: ("guest" | "agent" | "bot" | "admin")[] | null
}
"UpdateUserInput": {
"email"?: string | null
"familyName"?: string | null
"givenName"?: string | null
"additionalName"?: string | null
"displayName"?: string | null
"name"?: string | null
"phone"?: string | null
"password"?: string | null
"avatar"?: string | null
"organization"?: string | null
"role"?: "viewer" | "agent" | "bot" | "admin" | "owner" | null
"settings"?: (components["schemas"]["UserSettingsInput"]) | (null)
"meta"?: { [key: string]: unknown } | null
"disclosure"?: { [key: string]: unknown } | null
"status"?: "queued" | "invited" | "active" | "archived" | null
"currentPassword"?: string | null
}
"OrganizationCategoryInput": {
"name": string
"forms"?: (string)[] | null
}
"CreateOrganizationInput": {
"name": string
"displayName"?: string | null
"url"?: string | null
"email"?: string | null
"industry"?: string | null
"logo"?: string | null
"country"?: string | null
"locale"?: string | null
"timezone"?: string | null
"stopwords"?: (string)[] | null
"categories"?: (components["schemas"]["OrganizationCategoryInput"])[] | null
"commands"?: (string)[] | null
"profileFields"?: { [key: string]: unknown } | null
"tags"?: (string)[] | null
"meta"?: { [key: string]: unknown } | null
"parent"?: string | null
}
"UpdateOrganizationInput": {
"name"?: string | null
"displayName"?: string | null
"url"?: string | null
"email"?: string | null
"industry"?: string | null
"logo"?: string | null
"country"?: string | null
"locale"?: string | null
"timezone"?: string | null
"stopwords"?: (string)[] | null
"categories"?: (components["schemas"]["OrganizationCategoryInput"])[] | null
"commands"?: (string)[] | null
"profileFields"?: { [key: string]: unknown } | null
"tags"?: (string)[] | null
"meta"?: { [key: string]: unknown } | null
}
"UserProfile": {
"id": string
"displayName": string
"name": string
"avatar"?: string
"role": "viewer" | "agent" | "bot" | "admin" | "owner"
}
"ChannelAssignment": {
"mode"?: "pull" | "offer" | "assign"
"offerSeconds"?: number
"order"?: "leastLoaded" | "longestIdle"
"preferLastSeconds"?: number
"othersMayAccept"?: boolean
"limitPulls"?: boolean
"requeueGoneSeconds"?: number
"weight"?: number
"wrapUpSeconds"?: number
"tellPlace"?: boolean
}
"ChannelServiceLevel": {
"answerSeconds"?: number
"shortAbandonSeconds"?: number
}
"Channel": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"status": "active"
"members": ({
"user": (string) | (components["schemas"]["UserProfile"])
})[]
"assignment"?: components["schemas"]["ChannelAssignment"]
"serviceLevel"?: components["schemas"]["ChannelServiceLevel"]
"createdAt": string
"updatedAt": string
}
"Workflow": {
"id": string
"_id": string
"organization": (string) | (components["schemas"]["Organization"])
"name"?: string
"organizations"?: ((string) | (components["schemas"]["Organization"]))[]
"organizationTags"?: (string)[]
"rules": ({
"id": string
"conditions": { [key: string]: unknown }
"event": {
"type": "notify"
"params": {
"name"?: string
"channels"?: ((string) | (components["schemas"]["Channel"]))[]
"users"?: ((string) | (components["schemas"]["UserProfile"]))[]
"delay"?: number
"isLastRule"?: boolean
"skills"?: (string)[]
"skillsDropAfter"?: number
"urgency"?: number
}
}
"priority": number
})[]
"createdAt": string
"updatedAt": string
}
"OrganizationGroup": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"orgPath": string
"name": string
"members": ((string) | (components["schemas"]["Organization"]))[]
"createdAt": string
"updatedAt": string
}
"CreateOrganizationGroupInput": {
"name": string
"members"?: (string)[] | null
"organization"?: string | null
}
"UpdateOrganizationGroupInput": {
"name"?: string | null
"members"?: (string)[] | null
}
"ChannelMemberInput": {
"user": string
"supervisor"?: boolean | null
}
"ChannelAssignmentInput": {
"mode"?: "pull" | "offer" | "assign" | null
"offerSeconds"?: number | null
"order"?: "leastLoaded" | "longestIdle" | null
"preferLastSeconds"?: number | null
"othersMayAccept"?: boolean | null
"limitPulls"?: boolean | null
"requeueGoneSeconds"?: number | null
"weight"?: number | null
"wrapUpSeconds"?: number | null
"tellPlace"?: boolean | null
}
"ChannelServiceLevelInput": {
"answerSeconds"?: number | null
"shortAbandonSeconds"?: number | null
}
"CreateChannelInput": {
"name": string
"organization"?: string | null
"members"?: (components["schemas"]["ChannelMemberInput"])[] | null
"assignment"?: (components["schemas"]["ChannelAssignmentInput"]) | (null)
"serviceLevel"?: (components["schemas"]["ChannelServiceLevelInput"]) | (null)
}
"UpdateChannelInput": {
"name"?: string | null
"members"?: (components["schemas"]["ChannelMemberInput"])[] | null
"assignment"?: (components["schemas"]["ChannelAssignmentInput"]) | (null)
"serviceLevel"?: (components["schemas"]["ChannelServiceLevelInput"]) | (null)
}
"ChannelMember": {
"user": (string) | (components["schemas"]["UserProfile"])
}
"RuleEventParamsInput": {
"name"?: string | null
"channels"?: (string)[] | null
"users"?: (string)[] | null
"delay"?: number | null
"isLastRule"?: boolean | null
"skills"?: (string)[] | null
"skillsDropAfter"?: number | null
"urgency"?: number | null
}
"RuleEventInput": {
"type": "notify"
"params": components["schemas"]["RuleEventParamsInput"]
}
"WorkflowRuleInput": {
"id"?: string | null
"_id"?: string | null
"conditions": { [key: string]: unknown }
"event": components["schemas"]["RuleEventInput"]
"priority"?: number | null
}
"CreateWorkflowInput": {
"name"?: string | null
"organizations"?: (string)[] | null
"organizationTags"?: (string)[] | null
"rules"?: (components["schemas"]["WorkflowRuleInput"])[] | null
"id"?: string | null
"_id"?: string | null
"organization"?: string | null
}
"UpdateWorkflowInput": {
"name"?: string | null
"organizations"?: (string)[] | null
"organizationTags"?: (string)[] | null
"rules"?: (components["schemas"]["WorkflowRuleInput"])[] | null
}
"RuleEventParams": {
"name"?: string
"channels"?: (string)[]
"users"?: (string)[]
"delay"?: number
"isLastRule"?: boolean
"skills"?: (string)[]
"skillsDropAfter"?: number
"urgency"?: number
}
"TriggeredEvent": {
"type": "notify"
"params": components["schemas"]["RuleEventParams"]
}
"Rule": {
"id": string
"_id": string
"conditions": { [key: string]: unknown }
"event": {
"type": "notify"
"params": {
"name"?: string
"channels"?: ((string) | (components["schemas"]["Channel"]))[]
"users"?: ((string) | (components["schemas"]["UserProfile"]))[]
"delay"?: number
"isLastRule"?: boolean
"skills"?: (string)[]
"skillsDropAfter"?: number
"urgency"?: number
}
}
"priority": number
}
"UpdateWorkflowRuleInput": {
"conditions"?: { [key: string]: unknown } | null
"event"?: (components["schemas"]["RuleEventInput"]) | (null)
"priority"?: number | null
}
"ContactAddress": {
"streetAddress"?: string
"streetNumber"?: string
"postalCode"?: string
"addressLocality"?: string
"addressRegion"?: string
"addressCountry"?: string
"city"?: string
} & { [key: string]: unknown }
"ContactProfile": {
"name"?: string
"telephone"?: string
"email"?: string
"givenName"?: string
"familyName"?: string
"additionalName"?: string
"honorificPrefix"?: string
"honorificSuffix"?: string
"gender"?: string
"worksFor"?: string
"address"?: components["schemas"]["ContactAddress"]
} & { [key: string]: unknown }
"Contact": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"orgPath": string
"profile": components["schemas"]["ContactProfile"]
"meta"?: { [key: string]: unknown }
"status": "active" | "blocked"
"conversation"?: (string) | (components["schemas"]["Conversation"])
"createdAt": string
"updatedAt": string
}
"ServiceProfile": {
"id": string
"name"?: string
"type": string
}
"Action": {
"type": "link" | "reply" | "postback" | "webview" | "locationRequest"
"text": string
"uri"?: string
"payload"?: string
"iconUrl"?: string
"mediaType"?: string
"fallback"?: string
"size"?: string
"meta"?: { [key: string]: unknown }
}
"Item": {
"title"?: string
"description"?: string
"size"?: string
"mediaUrl"?: string
"mediaType"?: string
"iconUrl"?: string
"actions"?: (components["schemas"]["Action"])[]
}
"Delivery": {
"id": string
"conversationId": string
"messageId": string
"touchpoint": "web" | "email" | "sms" | "messenger"
"serviceId"?: string
"recipient"?: string
"reason"?: string
"code"?: "windowClosed" | "blocked"
"providerId"?: string
"segments"?: number
"attempts": number
"createdAt": string
"updatedAt": string
"status": "queued" | "sent" | "delivered" | "read" | "failed" | "maybeSent"
}
"Message": {
"id": string
"slug": string
"url": string
"path": string
"level": number
"organization": (string) | (components["schemas"]["Organization"])
"orgPath": string
"conversation": (string) | (components["schemas"]["Conversation"])
"type": "chat" | "card" | "command" | "postback" | "form" | "field" | "results" | "mention" | "tag" | "search" | "report" | "comment"
"role": "bot" | "contact" | "agent" | "system"
"isBackchannel": boolean
"audience": "consumer" | "team"
"user"?: (string) | (components["schemas"]["UserProfile"])
"contentType": "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg"
"text"?: string
"service"?: (string) | (components["schemas"]["ServiceProfile"])
"touchpoint"?: "web" | "email" | "sms" | "messenger"
"actions"?: (components["schemas"]["Action"])[]
"items"?: (components["schemas"]["Item"])[]
"meta"?: { [key: string]: unknown }
"likes": ((string) | (components["schemas"]["UserProfile"]))[]
"comments": ({
"user": (string) | (components["schemas"]["UserProfile"])
"message": string
"text": string
})[]
"results"?: ({
"name": string
"values": { [key: string]: unknown }
"form"?: (string) | (components["schemas"]["Form"])
"category"?: string | null
"categoryIndex"?: number | null
"completedAt"?: string | null
} & { [key: string]: unknown })[]
"deliveries": (components["schemas"]["Delivery"])[]
"crossedAnswer"?: boolean
"isAutomated"?: boolean
"depth"?: number
"disclosure"?: string
"version": number
"createdAt": string
"updatedAt": string
}
"Label": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"hue": number
"archivedAt"?: string
"createdAt": string
"updatedAt": string
}
"Conversation": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"orgPath": string
"type": "contact" | "agent" | "bot" | "system"
"name": string
"slug": string
"url": string
"status": "queued" | "active" | "closed" | "archived"
"mark"?: string
"contact"?: (string) | (components["schemas"]["Contact"])
"participants": ({
"user": (string) | (components["schemas"]["UserProfile"])
"organization"?: string
"name"?: string
"avatar"?: string
"role": "viewer" | "agent" | "bot" | "admin" | "owner"
"unreadCount": number
"inbox": boolean
"accepted": boolean
"active": boolean
"follow": boolean
"createdAt": string
"updatedAt": string
})[]
"messages": ((string) | (components["schemas"]["Message"]))[]
"channels": ((string) | (components["schemas"]["Channel"]))[]
"channelsOffline": ((string) | (components["schemas"]["Channel"]))[]
"touchpoints": {
"web"?: {
"services": ((string) | (components["schemas"]["ServiceProfile"]))[]
"selected": boolean
}
"email"?: {
"services": ((string) | (components["schemas"]["ServiceProfile"]))[]
"selected": boolean
}
"sms"?: {
"services": ((string) | (components["schemas"]["ServiceProfile"]))[]
"selected": boolean
}
"messenger"?: {
"services": ((string) | (components["schemas"]["ServiceProfile"]))[]
"selected": boolean
}
}
"touchpoint"?: "web" | "email" | "sms" | "messenger"
"labels": ((string) | (components["schemas"]["Label"]))[]
"closedAt": string | null
"snoozedUntil": string | null
"category": string | null
"categoryIndex"?: number
"language"?: string
"forms": ({
"name": string
"values": { [key: string]: unknown }
"form": (string) | (components["schemas"]["Form"])
"category": string | null
"categoryIndex": number | null
"completedAt": string | null
})[]
"results": ({
"name": string
"values": { [key: string]: unknown }
"form": (string) | (components["schemas"]["Form"])
"category": string | null
"categoryIndex": number | null
"completedAt": string | null
})[]
"meta": { [key: string]: unknown }
"createdBy"?: (string) | (components["schemas"]["UserProfile"])
"createdAt": string
"updatedAt": string
}
"UpdateConversationInput": {
"name"?: string | null
"category"?: string | null
"language"?: string | null
"touchpoint"?: "web" | "email" | "sms" | "messenger" | null
"snoozedUntil"?: string | null
"meta"?: { [key: string]: unknown } | null
}
"ContactAddressInput": {
"streetAddress"?: string | null
"streetNumber"?: string | null
"postalCode"?: string | null
"addressLocality"?: string | null
"addressRegion"?: string | null
"addressCountry"?: string | null
"city"?: string | null
} & { [key: string]: unknown }
"ContactProfileInput": {
"name"?: string | null
"telephone"?: string | null
"email"?: string | null
"givenName"?: string | null
"familyName"?: string | null
"additionalName"?: string | null
"honorificPrefix"?: string | null
"honorificSuffix"?: string | null
"gender"?: string | null
"worksFor"?: string | null
"address"?: (components["schemas"]["ContactAddressInput"]) | (null)
} & { [key: string]: unknown }
"ConversationContactInput": {
"id"?: string | null
"profile"?: (components["schemas"]["ContactProfileInput"]) | (null)
"meta"?: { [key: string]: unknown } | null
}
"ActionInput": {
"type": "link" | "reply" | "postback" | "webview" | "locationRequest"
"text"?: string | null
"uri"?: string | null
"payload"?: string | null
"iconUrl"?: string | null
"mediaType"?: string | null
"fallback"?: string | null
"size"?: string | null
"meta"?: { [key: string]: unknown } | null
}
"ItemInput": {
"title"?: string | null
"description"?: string | null
"size"?: string | null
"mediaUrl"?: string | null
"mediaType"?: string | null
"iconUrl"?: string | null
"actions"?: (components["schemas"]["ActionInput"])[] | null
}
"ReportedResultInput": {
"name": string
"values": { [key: string]: unknown }
} & { [key: string]: unknown }
"MessageTemplateInput": {
"id": string
"values"?: { [key: string]: unknown } | null
"header"?: string | null
}
"MessageInput": {
"type"?: "chat" | "card" | "command" | "postback" | "form" | "field" | "results" | "mention" | "tag" | "search" | "report" | "comment" | null
"role"?: "bot" | "contact" | "agent" | "system" | null
"isBackchannel"?: boolean | null
"user"?: string | null
"contentType"?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | null
"text"?: string | null
"service"?: string | null
"touchpoint"?: "web" | "email" | "sms" | "messenger" | null
"actions"?: (components["schemas"]["ActionInput"])[] | null
"items"?: (components["schemas"]["ItemInput"])[] | null
"results"?: (components["schemas"]["ReportedResultInput"])[] | null
"meta"?: { [key: string]: unknown } | null
"delay"?: number | null
"mark"?: string | null
"seen"?: string | null
"template"?: (components["schemas"]["MessageTemplateInput"]) | (null)
"depth"?: number | null
}
"CreateConversationInput": {
"organization"?: string | null
"type"?: "contact" | "agent" | "bot" | "system" | null
"contact"?: (components["schemas"]["ConversationContactInput"]) | (null)
"touchpoint"?: "web" | "email" | "sms" | "messenger" | null
"messages"?: (components["schemas"]["MessageInput"])[] | null
"participants"?: (string)[] | null
"name"?: string | null
"category"?: string | null
"language"?: string | null
"meta"?: { [key: string]: unknown } | null
}
"UpdateMessageInput": {
"text"?: string | null
"actions"?: (components["schemas"]["ActionInput"])[] | null
"items"?: (components["schemas"]["ItemInput"])[] | null
"meta"?: { [key: string]: unknown } | null
}
"CreateContactInput": {
"organization"?: string | null
"profile"?: (components["schemas"]["ContactProfileInput"]) | (null)
"meta"?: { [key: string]: unknown } | null
}
"UpdateContactInput": {
"profile"?: (components["schemas"]["ContactProfileInput"]) | (null)
"meta"?: { [key: string]: unknown } | null
"status"?: "active" | "blocked" | null
}
"Service": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name"?: string
"type": string
"params": { [key: string]: unknown }
"meta"?: { [key: string]: unknown }
"status": "active" | "inactive" | "unverified" | "failing" | "paused"
"createdAt": string
"updatedAt": string
}
"WebSettingsInput": {
"allowedOrigins"?: (string)[] | null
"greeting"?: string | null
"title"?: string | null
"accent"?: string | null
}
"EmailSettingsInput": {
"address"?: string | null
"fromName"?: string | null
"smtpUrl"?: string | null
"smtpUser"?: string | null
"smtpPassword"?: string | null
"smtpTokenUrl"?: string | null
"smtpClientId"?: string | null
"smtpClientSecret"?: string | null
"smtpRefreshToken"?: string | null
"smtpScope"?: string | null
"inboundSecret"?: string | null
}
"SmsSettingsInput": {
"accountSid"?: string | null
"authToken"?: string | null
"from"?: string | null
"messagingServiceSid"?: string | null
"apiUrl"?: string | null
}
"MessengerSettingsInput": {
"pageId"?: string | null
"pageAccessToken"?: string | null
"appSecret"?: string | null
"verifyToken"?: string | null
"apiUrl"?: string | null
}
"WhatsappSettingsInput": {
"phoneNumberId"?: string | null
"wabaId"?: string | null
"accessToken"?: string | null
"appSecret"?: string | null
"verifyToken"?: string | null
"readMarks"?: boolean | null
"apiUrl"?: string | null
}
"WebhookSettingsInput": {
"url"?: string | null
"events"?: (string)[] | null
"secret"?: string | null
"bot"?: string | null
"ownMessages"?: boolean | null
"query"?: string | null
}
"ServiceSettingsInput": {
"web"?: (components["schemas"]["WebSettingsInput"]) | (null)
"email"?: (components["schemas"]["EmailSettingsInput"]) | (null)
"sms"?: (components["schemas"]["SmsSettingsInput"]) | (null)
"messenger"?: (components["schemas"]["MessengerSettingsInput"]) | (null)
"whatsapp"?: (components["schemas"]["WhatsappSettingsInput"]) | (null)
"webhook"?: (components["schemas"]["WebhookSettingsInput"]) | (null)
}
"CreateServiceInput": {
"name"?: string | null
"type": string
"isOwnType"?: boolean | null
"params"?: { [key: string]: unknown } | null
"settings"?: (components["schemas"]["ServiceSettingsInput"]) | (null)
"meta"?: { [key: string]: unknown } | null
"status"?: "active" | "inactive" | "unverified" | "failing" | "paused" | null
"organization"?: string | null
}
"UpdateServiceInput": {
"name"?: string | null
"type"?: string | null
"isOwnType"?: boolean | null
"params"?: { [key: string]: unknown } | null
"meta"?: { [key: string]: unknown } | null
"status"?: "active" | "inactive" | "unverified" | "failing" | "paused" | null
}
"FormFieldInput": {
"id"?: string | null
"key"?: string | null
"label"?: string | null
"name"?: string | null
"type"?: "text" | "textarea" | "email" | "telephone" | "number" | "date" | "boolean" | "select" | "multiselect" | "url" | null
"required"?: boolean | null
"options"?: (string)[] | null
"placeholder"?: string | null
"default"?: unknown
"pattern"?: string | null
"min"?: number | null
"max"?: number | null
"profileField"?: string | null
}
"CreateFormInput": {
"name": string
"isStatic"?: boolean | null
"fields"?: (components["schemas"]["FormFieldInput"])[] | null
"email"?: (string)[] | null
"tags"?: (string)[] | null
"meta"?: { [key: string]: unknown } | null
"organization"?: string | null
}
"UpdateFormInput": {
"name"?: string | null
"isStatic"?: boolean | null
"fields"?: (components["schemas"]["FormFieldInput"])[] | null
"email"?: (string)[] | null
"tags"?: (string)[] | null
"meta"?: { [key: string]: unknown } | null
}
"Article": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"title": string
"summary"?: string
"body": string
"content": string
"language"?: string
"category"?: string
"status": "draft" | "published"
"tags": (string)[]
"meta"?: { [key: string]: unknown }
"isShared": boolean
"createdAt": string
"updatedAt": string
}
"CreateArticleInput": {
"title": string
"summary"?: string | null
"body"?: string | null
"content"?: string | null
"language"?: string | null
"category"?: string | null
"status"?: "draft" | "published" | null
"tags"?: (string)[] | null
"meta"?: { [key: string]: unknown } | null
"organization"?: string | null
}
"UpdateArticleInput": {
"title"?: string | null
"summary"?: string | null
"body"?: string | null
"content"?: string | null
"language"?: string | null
"category"?: string | null
"status"?: "draft" | "published" | null
"tags"?: (string)[] | null
"meta"?: { [key: string]: unknown } | null
}
"Attachment": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"fileName": string
"fileType": string
"size": number
"sha256": string
"url": string
"tags": (string)[]
"user"?: (string) | (components["schemas"]["UserProfile"])
"createdAt": string
"updatedAt": string
}
"File": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"url"?: string
"attachment"?: (string) | (components["schemas"]["Attachment"])
"fileType"?: string
"size"?: number
"downloadUrl": string
"tags": (string)[]
"isShared": boolean
"createdAt": string
"updatedAt": string
}
"CreateFileInput": {
"name": string
"url"?: string | null
"attachment"?: string | null
"fileType"?: string | null
"size"?: number | null
"tags"?: (string)[] | null
"organization"?: string | null
}
"UpdateFileInput": {
"name"?: string | null
"url"?: string | null
"attachment"?: string | null
"fileType"?: string | null
"size"?: number | null
"tags"?: (string)[] | null
}
"LocationAddress": {
"streetAddress"?: string
"streetNumber"?: string
"postalCode"?: string
"addressLocality"?: string
"addressRegion"?: string
"addressCountry"?: string
}
"OpeningHours": {
"days": ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[]
"opens": string
"closes": string
}
"Location": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"address"?: components["schemas"]["LocationAddress"]
"latitude"?: number
"longitude"?: number
"telephone"?: string
"email"?: string
"url"?: string
"timezone"?: string
"openingHours": (components["schemas"]["OpeningHours"])[]
"tags": (string)[]
"isShared": boolean
"createdAt": string
"updatedAt": string
}
"LocationAddressInput": {
"streetAddress"?: string | null
"streetNumber"?: string | null
"postalCode"?: string | null
"addressLocality"?: string | null
"addressRegion"?: string | null
"addressCountry"?: string | null
}
"OpeningHoursInput": {
"days": ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[]
"opens": string
"closes": string
}
"CreateLocationInput": {
"name": string
"address"?: (components["schemas"]["LocationAddressInput"]) | (null)
"latitude"?: number | null
"longitude"?: number | null
"telephone"?: string | null
"email"?: string | null
"url"?: string | null
"timezone"?: string | null
"openingHours"?: (components["schemas"]["OpeningHoursInput"])[] | null
"tags"?: (string)[] | null
"organization"?: string | null
}
"UpdateLocationInput": {
"name"?: string | null
"address"?: (components["schemas"]["LocationAddressInput"]) | (null)
"latitude"?: number | null
"longitude"?: number | null
"telephone"?: string | null
"email"?: string | null
"url"?: string | null
"timezone"?: string | null
"openingHours"?: (components["schemas"]["OpeningHoursInput"])[] | null
"tags"?: (string)[] | null
}
"UpdateAttachmentInput": {
"fileName"?: string | null
"tags"?: (string)[] | null
}
"CreateLabelInput": {
"name": string
"hue"?: number | null
"organization"?: string | null
}
"UpdateLabelInput": {
"name"?: string | null
"hue"?: number | null
}
"AgentState": {
"user": (string) | (components["schemas"]["UserProfile"])
"availability": "available" | "busy" | "away" | "offline" | "notResponding" | "wrapUp"
"reason"?: string
"reasonCode"?: {
"id": string
"name": string
}
"since"?: string
"capacity": number
"load": number
"skills": ({
"id": string
"name": string
})[]
}
"UpdateStaffInput": {
"capacity"?: number | null
"skills"?: (string)[] | null
}
"ReasonCode": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"availabilities": ("available" | "busy" | "away" | "offline" | "notResponding" | "wrapUp")[]
"createdAt": string
"updatedAt": string
}
"CreateReasonCodeInput": {
"name": string
"availabilities"?: ("available" | "busy" | "away" | "offline" | "notResponding" | "wrapUp")[] | null
"organization"?: string | null
}
"UpdateReasonCodeInput": {
"name"?: string | null
"availabilities"?: ("available" | "busy" | "away" | "offline" | "notResponding" | "wrapUp")[] | null
}
"Skill": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"createdAt": string
"updatedAt": string
}
"CreateSkillInput": {
"name": string
"organization"?: string | null
}
"UpdateSkillInput": {
"name"?: string | null
}
"DayTimes": {
"opens": string
"closes": string
}
"ScheduleException": {
"firstDay": string
"lastDay": string
"name"?: string
"spans"?: (components["schemas"]["DayTimes"])[]
}
"HolidayCalendar": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"days": (components["schemas"]["ScheduleException"])[]
"createdAt": string
"updatedAt": string
}
"DayTimesInput": {
"opens": string
"closes": string
}
"ScheduleExceptionInput": {
"firstDay": string
"lastDay"?: string | null
"name"?: string | null
"spans"?: (components["schemas"]["DayTimesInput"])[] | null
}
"CreateHolidayCalendarInput": {
"name": string
"days"?: (components["schemas"]["ScheduleExceptionInput"])[] | null
"organization"?: string | null
}
"UpdateHolidayCalendarInput": {
"name"?: string | null
"days"?: (components["schemas"]["ScheduleExceptionInput"])[] | null
}
"Schedule": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"version": number
"timezone": string
"spans": (components["schemas"]["OpeningHours"])[]
"exceptions": (components["schemas"]["ScheduleException"])[]
"calendars": ((string) | (components["schemas"]["HolidayCalendar"]))[]
"text"?: string
"isOpen": boolean
"changesAt"?: string
"createdAt": string
"updatedAt": string
}
"CreateScheduleInput": {
"name": string
"timezone": string
"spans"?: (components["schemas"]["OpeningHoursInput"])[] | null
"exceptions"?: (components["schemas"]["ScheduleExceptionInput"])[] | null
"calendars"?: (string)[] | null
"text"?: string | null
"organization"?: string | null
}
"UpdateScheduleInput": {
"name"?: string | null
"timezone"?: string | null
"spans"?: (components["schemas"]["OpeningHoursInput"])[] | null
"exceptions"?: (components["schemas"]["ScheduleExceptionInput"])[] | null
"calendars"?: (string)[] | null
"text"?: string | null
}
"SlaAct": {
"at": "warned" | "breached"
"channels": (string)[]
"users": (string)[]
"urgency"?: number
"requeue": boolean
}
"SlaTarget": {
"clock": "queue" | "firstResponse" | "nextResponse" | "resolution"
"seconds": number
"minutes"?: number
"warnSeconds"?: number
"warnMinutes"?: number
"acts"?: (components["schemas"]["SlaAct"])[]
}
"SlaPolicy": {
"id": string
"organization": (string) | (components["schemas"]["Organization"])
"name": string
"version": number
"position": number
"conditions": { [key: string]: unknown }
"schedule"?: (string) | (components["schemas"]["Schedule"])
"targets": (components["schemas"]["SlaTarget"])[]
"createdAt": string
"updatedAt": string
}
"SlaActInput": {
"at": "warned" | "breached"
"channels"?: (string)[] | null
"users"?: (string)[] | null
"urgency"?: number | null
"requeue"?: boolean | null
}
"SlaTargetInput": {
"clock": "queue" | "firstResponse" | "nextResponse" | "resolution"
"seconds"?: number | null
"minutes"?: number | null
"warnSeconds"?: number | null
"warnMinutes"?: number | null
"acts"?: (components["schemas"]["SlaActInput"])[] | null
}
"CreateSlaPolicyInput": {
"name": string
"position"?: number | null
"conditions"?: { [key: string]: unknown } | null
"schedule"?: string | null
"targets": (components["schemas"]["SlaTargetInput"])[]
"organization"?: string | null
}
"UpdateSlaPolicyInput": {
"name"?: string | null
"position"?: number | null
"conditions"?: { [key: string]: unknown } | null
"schedule"?: string | null
"targets"?: (components["schemas"]["SlaTargetInput"])[] | null
}
"SlaClock": {
"clock": "queue" | "firstResponse" | "nextResponse" | "resolution"
"state": "running" | "paused" | "met" | "breached" | "cancelled"
"startedAt": string
"dueAt"?: string
"warnedAt"?: string
"breachedAt"?: string
"endedAt"?: string
"usedSeconds": number
"policyId": string
"policyVersion": number
"scheduleVersion"?: number
}
"WebhookMessage": {
"orgPath"?: string
"id": string
"slug"?: string
"url"?: string
"path"?: string
"level"?: number
"organization"?: string
"conversation"?: string
"type"?: "chat" | "card" | "command" | "postback" | "form" | "field" | "results" | "mention" | "tag" | "search" | "report" | "comment"
"role"?: "bot" | "contact" | "agent" | "system"
"isBackchannel"?: boolean
"audience"?: "consumer" | "team"
"user"?: string
"contentType"?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg"
"text"?: string
"service"?: string
"touchpoint"?: "web" | "email" | "sms" | "messenger"
"actions"?: (components["schemas"]["Action"])[]
"items"?: (components["schemas"]["Item"])[]
"meta"?: { [key: string]: unknown }
"likes"?: (string)[]
"comments"?: ({
"user": string
"message": string
"text": string
})[]
"results"?: ({
"name": string
"values": { [key: string]: unknown }
"form"?: string
"category"?: string | null
"categoryIndex"?: number | null
"completedAt"?: string | null
} & { [key: string]: unknown })[]
"deliveries"?: (components["schemas"]["Delivery"])[]
"crossedAnswer"?: boolean
"isAutomated"?: boolean
"depth"?: number
"disclosure"?: string
"version"?: number
"createdAt"?: string
"updatedAt"?: string
}
"WebhookConversation": {
"orgPath"?: string
"id": string
"organization"?: string
"type"?: "contact" | "agent" | "bot" | "system"
"name"?: string
"slug"?: string
"url"?: string
"status"?: "queued" | "active" | "closed" | "archived"
"mark"?: string
"contact"?: string
"participants"?: ({
"user": string
"organization"?: string
"name"?: string
"avatar"?: string
"role": "viewer" | "agent" | "bot" | "admin" | "owner"
"unreadCount": number
"inbox": boolean
"accepted": boolean
"active": boolean
"follow": boolean
"createdAt": string
"updatedAt": string
})[]
"messages"?: (string)[]
"channels"?: (string)[]
"channelsOffline"?: (string)[]
"touchpoints"?: {
"web"?: {
"services": (string)[]
"selected": boolean
}
"email"?: {
"services": (string)[]
"selected": boolean
}
"sms"?: {
"services": (string)[]
"selected": boolean
}
"messenger"?: {
"services": (string)[]
"selected": boolean
}
}
"touchpoint"?: "web" | "email" | "sms" | "messenger"
"labels"?: (string)[]
"closedAt"?: string | null
"snoozedUntil"?: string | null
"category"?: string | null
"categoryIndex"?: number
"language"?: string
"forms"?: ({
"name": string
"values": { [key: string]: unknown }
"form": string
"category": string | null
"categoryIndex": number | null
"completedAt": string | null
})[]
"results"?: ({
"name": string
"values": { [key: string]: unknown }
"form": string
"category": string | null
"categoryIndex": number | null
"completedAt": string | null
})[]
"meta"?: { [key: string]: unknown }
"createdBy"?: string
"createdAt"?: string
"updatedAt"?: string
}
"WebhookContact": {
"orgPath"?: string
"id": string
"organization"?: string
"profile"?: components["schemas"]["ContactProfile"]
"meta"?: { [key: string]: unknown }
"status"?: "active" | "blocked"
"conversation"?: string
"createdAt"?: string
"updatedAt"?: string
}
"WebhookUser": {
"orgPath"?: string
"id": string
"familyName"?: string
"givenName"?: string
"additionalName"?: string
"displayName"?: string
"name"?: string
"email"?: string
"phone"?: string
"avatar"?: string
"organization"?: string
"organizations"?: ({
"orgPath": string
"organization": string
"selected": boolean
"role": "viewer" | "agent" | "bot" | "admin" | "owner"
"level": number
})[]
"role"?: "viewer" | "agent" | "bot" | "admin" | "owner"
"settings"?: components["schemas"]["UserSettings"]
"meta"?: { [key: string]: unknown }
"disclosure"?: { [key: string]: unknown }
"status"?: "queued" | "invited" | "active" | "archived"
"apiToken"?: string
"provider"?: string
"lastLogin"?: string
"createdAt"?: string
"updatedAt"?: string
}
"WebhookOrganization": {
"orgPath"?: string
"id": string
"name"?: string
"displayName"?: string
"url"?: string
"email"?: string
"industry"?: string
"logo"?: string
"country"?: string
"locale"?: string
"timezone"?: string
"parent"?: string
"path"?: string
"level"?: number
"status"?: "active"
"stopwords"?: (string)[]
"categories"?: ({
"name": string
"forms": (string)[]
})[]
"commands"?: (string)[]
"profileFields"?: { [key: string]: unknown }
"tags"?: (string)[]
"meta"?: { [key: string]: unknown }
"createdAt"?: string
"updatedAt"?: string
}
"WebhookChannel": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"status"?: "active"
"members"?: ({
"user": string
})[]
"assignment"?: components["schemas"]["ChannelAssignment"]
"serviceLevel"?: components["schemas"]["ChannelServiceLevel"]
"createdAt"?: string
"updatedAt"?: string
}
"WebhookLabel": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"hue"?: number
"archivedAt"?: string
"createdAt"?: string
"updatedAt"?: string
}
"WebhookArticle": {
"orgPath"?: string
"id": string
"organization"?: string
"title"?: string
"summary"?: string
"body"?: string
"content"?: string
"language"?: string
"category"?: string
"status"?: "draft" | "published"
"tags"?: (string)[]
"meta"?: { [key: string]: unknown }
"isShared"?: boolean
"createdAt"?: string
"updatedAt"?: string
}
"WebhookAttachment": {
"orgPath"?: string
"id": string
"organization"?: string
"fileName"?: string
"fileType"?: string
"size"?: number
"sha256"?: string
"url"?: string
"tags"?: (string)[]
"user"?: string
"createdAt"?: string
"updatedAt"?: string
}
"WebhookFile": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"url"?: string
"attachment"?: string
"fileType"?: string
"size"?: number
"downloadUrl"?: string
"tags"?: (string)[]
"isShared"?: boolean
"createdAt"?: string
"updatedAt"?: string
}
"WebhookForm": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"isStatic"?: boolean
"fields"?: (components["schemas"]["FormField"])[]
"email"?: (string)[]
"tags"?: (string)[]
"meta"?: { [key: string]: unknown }
"isTemplate"?: boolean
"createdAt"?: string
"updatedAt"?: string
}
"WebhookLocation": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"address"?: components["schemas"]["LocationAddress"]
"latitude"?: number
"longitude"?: number
"telephone"?: string
"email"?: string
"url"?: string
"timezone"?: string
"openingHours"?: (components["schemas"]["OpeningHours"])[]
"tags"?: (string)[]
"isShared"?: boolean
"createdAt"?: string
"updatedAt"?: string
}
"WebhookOrganizationGroup": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"members"?: (string)[]
"createdAt"?: string
"updatedAt"?: string
}
"WebhookService": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"type"?: string
"params"?: { [key: string]: unknown }
"meta"?: { [key: string]: unknown }
"status"?: "active" | "inactive" | "unverified" | "failing" | "paused"
"createdAt"?: string
"updatedAt"?: string
}
"WebhookHolidayCalendar": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"days"?: (components["schemas"]["ScheduleException"])[]
"createdAt"?: string
"updatedAt"?: string
}
"WebhookSchedule": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"version"?: number
"timezone"?: string
"spans"?: (components["schemas"]["OpeningHours"])[]
"exceptions"?: (components["schemas"]["ScheduleException"])[]
"calendars"?: (string)[]
"text"?: string
"isOpen"?: boolean
"changesAt"?: string
"createdAt"?: string
"updatedAt"?: string
}
"WebhookReasonCode": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"availabilities"?: ("available" | "busy" | "away" | "offline" | "notResponding" | "wrapUp")[]
"createdAt"?: string
"updatedAt"?: string
}
"WebhookSkill": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"createdAt"?: string
"updatedAt"?: string
}
"WebhookSlaPolicy": {
"orgPath"?: string
"id": string
"organization"?: string
"name"?: string
"version"?: number
"position"?: number
"conditions"?: { [key: string]: unknown }
"schedule"?: string
"targets"?: (components["schemas"]["SlaTarget"])[]
"createdAt"?: string
"updatedAt"?: string
}
"WebhookWorkflow": {
"orgPath"?: string
"id": string
"_id"?: string
"organization"?: string
"name"?: string
"organizations"?: (string)[]
"organizationTags"?: (string)[]
"rules"?: ({
"id": string
"conditions": { [key: string]: unknown }
"event": {
"type": "notify"
"params": {
"name"?: string
"channels"?: (string)[]
"users"?: (string)[]
"delay"?: number
"isLastRule"?: boolean
"skills"?: (string)[]
"skillsDropAfter"?: number
"urgency"?: number
}
}
"priority": number
})[]
"createdAt"?: string
"updatedAt"?: string
}
"WebhookReference": {
"id": string
} & { [key: string]: unknown }
"WebhookFailedService": {
"id": string
"organization": string
"name": string | null
"type": string
"status": string
"error": string
} & { [key: string]: unknown }
"WebhookDelivery": {
"id": string
"conversation"?: string
"message"?: string
"status": string
} & { [key: string]: unknown }
"WebhookActivity": {
"@context": "https://www.w3.org/ns/activitystreams"
"id": string
"type": "Create" | "Update" | "Delete"
"summary": string
"published": string
"actor": { [key: string]: unknown }
"object": { [key: string]: unknown }
"target"?: { [key: string]: unknown }
}
"WebhookAnswer": {
"messages": (components["schemas"]["MessageInput"])[]
"token"?: string
}
"Error": {
"message": string
"code": "BAD_USER_INPUT" | "UNAUTHENTICATED" | "TOKEN_EXPIRED" | "FORBIDDEN" | "NOT_FOUND" | "PRECONDITION_FAILED" | "UNPROCESSABLE" | "RATE_LIMITED" | "INTERNAL_SERVER_ERROR" | "UNAVAILABLE"
"reason": "INVALID_VALUE" | "MISSING_VALUE" | "METHOD_NOT_ALLOWED" | "UNKNOWN_FIELD" | "AUTHENTICATION_REQUIRED" | "TOKEN_INVALID" | "TOKEN_EXPIRED" | "REFRESH_REFUSED" | "WRONG_CREDENTIALS" | "SESSION_ENDED" | "PERMISSION_MISSING" | "BOT_PAUSED" | "USER_REQUIRED" | "OWNER_REQUIRED" | "CENTER_ADMIN_REQUIRED" | "SIGN_IN_REQUIRED" | "OWN_ACCOUNT" | "WRONG_PASSWORD" | "CONTACT_BLOCKED" | "ORIGIN_NOT_ALLOWED" | "SHARED_READ_ONLY" | "SIGNATURE_INVALID" | "LINK_EXPIRED" | "RECORD_NOT_FOUND" | "MALFORMED_ID" | "ROUTE_NOT_FOUND" | "CONFLICT" | "ALREADY_ACCEPTED" | "OFFERED_TO_OTHER" | "OFFER_ENDED" | "AT_CAPACITY" | "AGENT_UNAVAILABLE" | "CONVERSATION_STATUS" | "CONVERSATION_TYPE" | "CHANGED_MEANWHILE" | "MOVED_ON" | "OTHER_VERSION" | "TOO_DEEP" | "NOT_A_PARTICIPANT" | "NO_CONTACT" | "TOUCHPOINT_UNAVAILABLE" | "WINDOW_CLOSED" | "NO_TEMPLATES" | "TEMPLATE_NOT_APPROVED" | "MISSING_TOUCHPOINT" | "SENT_BEFORE" | "MESSAGE_DELETED" | "ALREADY_SENT" | "DELIVERY_STATUS" | "STATUS_MOVE_IMPOSSIBLE" | "ID_TAKEN" | "NAME_TAKEN" | "EMAIL_TAKEN" | "ADDRESS_TAKEN" | "ENDPOINT_TAKEN" | "CONTACT_EXISTS" | "LABEL_ARCHIVED" | "IN_USE" | "TOO_MANY" | "TOO_LARGE" | "LEVEL_TOO_LOW" | "UNKNOWN_CATEGORY" | "FORM_NOT_ACTIVE" | "FORM_NOT_COMPLETED" | "IMPORT_IMPOSSIBLE" | "WRONG_BUTTON" | "NOT_A_BOT" | "NO_PASSWORD" | "LINK_INVALID" | "CODE_WRONG" | "SENDER_UNPROVEN" | "MAIL_NOT_SET_UP" | "PUSH_NOT_SET_UP" | "SERVICE_INACTIVE" | "NOT_TESTABLE" | "IDEMPOTENCY_KEY_REUSED" | "ANSWER_ERASED" | "ANSWER_TOO_LARGE" | "QUERY_TOO_LONG" | "REPORT_TOO_LONG" | "RULES_DIFFER" | "RATE_LIMIT" | "BOT_IDENTICAL_LIMIT" | "BOT_CONSECUTIVE_LIMIT" | "TEMPORARILY_UNAVAILABLE" | "OUTCOME_UNKNOWN" | "INTERNAL_ERROR"
"docs": string
"error": {
"message": string
"code": "BAD_USER_INPUT" | "UNAUTHENTICATED" | "TOKEN_EXPIRED" | "FORBIDDEN" | "NOT_FOUND" | "PRECONDITION_FAILED" | "UNPROCESSABLE" | "RATE_LIMITED" | "INTERNAL_SERVER_ERROR" | "UNAVAILABLE"
}
"requestId": string
"field"?: string
"retryAfterSeconds"?: number
} & { [key: string]: unknown }
}; responses: {
"Error400": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "BAD_USER_INPUT"
})
} }
"Error401": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "UNAUTHENTICATED" | "TOKEN_EXPIRED"
})
} }
"Error403": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "FORBIDDEN" | "TOKEN_EXPIRED"
})
} }
"Error404": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "NOT_FOUND"
})
} }
"Error412": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "PRECONDITION_FAILED"
})
} }
"Error413": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "BAD_USER_INPUT"
})
} }
"Error415": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "BAD_USER_INPUT"
})
} }
"Error422": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "UNPROCESSABLE"
})
} }
"Error429": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "RATE_LIMITED"
})
} }
"Error500": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "INTERNAL_SERVER_ERROR"
})
} }
"Error503": { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Error"]) & ({
"code"?: "UNAVAILABLE"
})
} }
} }
export interface paths {
"/v2/auth/token": {
"post": { parameters: { query?: {
"select"?: string
}; path?: {

}; header?: {

} }; requestBody: { content: {
"application/json": ({
"refreshToken": string
"clientId": string
}) | ({
"email": string
"password": string
"timezone"?: string
"otp"?: unknown
})
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["TokenResponse"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"get": { parameters: { query: {
"refreshToken": string
"select"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["TokenResponse"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/users": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"familyName"?: string
"givenName"?: string
"additionalName"?: string
"displayName"?: string
"email"?: string
"phone"?: string
"role"?: string
"status"?: string
"settings.*"?: string
"meta.*"?: string
"provider"?: string
"lastLogin"?: string
"createdAt"?: string
"updatedAt"?: string
"orgPath"?: string
"name"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["User"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateUserInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["User"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/users/me": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["User"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/users/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["User"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateUserInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["User"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/organizations": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"name"?: string
"displayName"?: string
"url"?: string
"email"?: string
"industry"?: string
"country"?: string
"locale"?: string
"timezone"?: string
"parent"?: string
"path"?: string
"level"?: string
"status"?: string
"stopwords"?: string
"commands"?: string
"tags"?: string
"meta.*"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Organization"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateOrganizationInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Organization"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/organizations/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Organization"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateOrganizationInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Organization"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/organizations/{id}/workflows": {
"get": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Workflow"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/orggroups": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"members"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["OrganizationGroup"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateOrganizationGroupInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["OrganizationGroup"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/orggroups/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["OrganizationGroup"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateOrganizationGroupInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["OrganizationGroup"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/channels": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"status"?: string
"members.user"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Channel"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateChannelInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Channel"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/channels/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Channel"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateChannelInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Channel"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/channels/{id}/members": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["ChannelMember"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody: { content: {
"application/json": {
"user": string
}
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Channel"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": (components["schemas"]["ChannelMemberInput"])[]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Channel"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/channels/{id}/members/{user}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
"user": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["ChannelMember"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
"user": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/workflows": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"externalId"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"organizations"?: string
"organizationTags"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Workflow"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateWorkflowInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Workflow"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/workflows/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Workflow"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateWorkflowInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Workflow"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody: { content: {
"application/json": { [key: string]: unknown }
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["TriggeredEvent"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/workflows/{id}/rules": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Rule"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["WorkflowRuleInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Rule"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/workflows/{id}/rules/{rule}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
"rule": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Rule"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
"rule": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateWorkflowRuleInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Rule"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
}; path: {
"id": string
"rule": string
}; header?: {

} }; requestBody: { content: {
"application/json": { [key: string]: unknown }
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["TriggeredEvent"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
"rule": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/conversations": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"type"?: string
"slug"?: string
"name"?: string
"status"?: string
"contact"?: string
"touchpoint"?: string
"category"?: string
"categoryIndex"?: string
"language"?: string
"channels"?: string
"channelsOffline"?: string
"meta.*"?: string
"createdBy"?: string
"queuedAt"?: string
"lastMessageAt"?: string
"caseChannels"?: string
"nextDue"?: string
"labels"?: string
"undelivered"?: string
"closedAt"?: string
"snoozedUntil"?: string
"snoozedBy"?: string
"createdAt"?: string
"updatedAt"?: string
"orgPath"?: string
"q"?: string
"awaitsAnswer"?: string
"assignee"?: string
"participants.user"?: string
"participants.role"?: string
"participants.unreadCount"?: string
"participants.inbox"?: string
"participants.accepted"?: string
"participants.active"?: string
"participants.follow"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Conversation"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Prefer"?: string
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateConversationInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Conversation"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/conversations/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Conversation"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateConversationInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Conversation"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/conversations/{id}/messages": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"conversation"?: string
"position"?: string
"type"?: string
"role"?: string
"isBackchannel"?: string
"user"?: string
"contentType"?: string
"text"?: string
"touchpoint"?: string
"meta.*"?: string
"likes"?: string
"createdAt"?: string
"updatedAt"?: string
"orgPath"?: string
"q"?: string
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Message"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"Prefer"?: string
"Idempotency-Key"?: string
"If-Match"?: string
} }; requestBody: { content: {
"application/json": ((components["schemas"]["MessageInput"])[]) | (components["schemas"]["MessageInput"])
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": ((components["schemas"]["Message"])[]) | (components["schemas"]["Message"])
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/conversations/{id}/messages/{message}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
"message": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Message"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
"message": string
}; header?: {

} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateMessageInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Message"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
"message": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/messages": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"conversation"?: string
"position"?: string
"type"?: string
"role"?: string
"isBackchannel"?: string
"user"?: string
"contentType"?: string
"text"?: string
"touchpoint"?: string
"meta.*"?: string
"likes"?: string
"createdAt"?: string
"updatedAt"?: string
"orgPath"?: string
"q"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Message"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Prefer"?: string
"Idempotency-Key"?: string
"If-Match"?: string
} }; requestBody: { content: {
"application/json": ({
"conversation": string
}) & (components["schemas"]["MessageInput"])
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Message"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/messages/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Message"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateMessageInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Message"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/contacts": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"email"?: string
"telephone"?: string
"meta.*"?: string
"status"?: string
"createdAt"?: string
"updatedAt"?: string
"orgPath"?: string
"name"?: string
"profile.name"?: string
"profile.telephone"?: string
"profile.email"?: string
"profile.givenName"?: string
"profile.familyName"?: string
"profile.additionalName"?: string
"profile.honorificPrefix"?: string
"profile.honorificSuffix"?: string
"profile.gender"?: string
"profile.worksFor"?: string
"profile.address.streetAddress"?: string
"profile.address.streetNumber"?: string
"profile.address.postalCode"?: string
"profile.address.addressLocality"?: string
"profile.address.addressRegion"?: string
"profile.address.addressCountry"?: string
"profile.address.city"?: string
"q"?: string
"conversation"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Contact"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateContactInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Contact"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/contacts/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Contact"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateContactInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Contact"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/services": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"type"?: string
"meta.*"?: string
"status"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Service"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateServiceInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Service"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/services/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Service"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateServiceInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Service"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/forms": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"isStatic"?: string
"tags"?: string
"meta.*"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Form"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateFormInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Form"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/forms/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Form"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateFormInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Form"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/articles": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"title"?: string
"summary"?: string
"body"?: string
"content"?: string
"language"?: string
"category"?: string
"status"?: string
"tags"?: string
"meta.*"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Article"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateArticleInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Article"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/articles/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Article"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateArticleInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Article"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/files": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"url"?: string
"attachment"?: string
"fileType"?: string
"size"?: string
"tags"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["File"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateFileInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["File"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/files/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["File"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateFileInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["File"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/locations": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"address.streetAddress"?: string
"address.streetNumber"?: string
"address.postalCode"?: string
"address.addressLocality"?: string
"address.addressRegion"?: string
"address.addressCountry"?: string
"telephone"?: string
"email"?: string
"tags"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Location"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateLocationInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Location"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/locations/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Location"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateLocationInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Location"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/attachments": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"fileName"?: string
"fileType"?: string
"size"?: string
"sha256"?: string
"tags"?: string
"user"?: string
"contact"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Attachment"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {

}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"multipart/form-data": {
"file": string
"organization"?: string
}
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Attachment"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/attachments/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Attachment"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateAttachmentInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Attachment"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/labels": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"archivedAt"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Label"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateLabelInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Label"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/labels/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Label"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateLabelInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Label"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Label"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/conversations/{id}/labels": {
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody: { content: {
"application/json": {
"label": string
}
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Conversation"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/conversations/{id}/labels/{label}": {
"delete": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
"label": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Conversation"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/users/{id}/availability": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["AgentState"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody: { content: {
"application/json": {
"availability": "available" | "busy" | "away" | "offline" | "notResponding" | "wrapUp"
"reason"?: string
"reasonCode"?: string
}
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["AgentState"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/users/{id}/staffing": {
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateStaffInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["AgentState"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/offers/{id}/decline": {
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody: { content: {
"application/json": {
"reason"?: string
}
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Conversation"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/reasoncodes": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["ReasonCode"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateReasonCodeInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["ReasonCode"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/reasoncodes/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["ReasonCode"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateReasonCodeInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["ReasonCode"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/skills": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Skill"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateSkillInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Skill"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/skills/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Skill"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateSkillInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Skill"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/holidaycalendars": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["HolidayCalendar"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateHolidayCalendarInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["HolidayCalendar"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/holidaycalendars/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["HolidayCalendar"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateHolidayCalendarInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["HolidayCalendar"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/schedules": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"timezone"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["Schedule"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateScheduleInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Schedule"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/schedules/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Schedule"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateScheduleInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["Schedule"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/slapolicies": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"after"?: string
"sort"?: string
"id"?: string
"organization"?: string
"orgPath"?: string
"name"?: string
"schedule"?: string
"position"?: string
"createdAt"?: string
"updatedAt"?: string
"select"?: string
"populate"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["SlaPolicy"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"post": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path?: {

}; header?: {
"Idempotency-Key"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["CreateSlaPolicyInput"]
} }; responses: {
201: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["SlaPolicy"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/slapolicies/{id}": {
"get": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["SlaPolicy"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"patch": { parameters: { query?: {
"select"?: string
"populate"?: string
}; path: {
"id": string
}; header?: {
"If-Match"?: string
} }; requestBody: { content: {
"application/json": components["schemas"]["UpdateSlaPolicyInput"]
} }; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": components["schemas"]["SlaPolicy"]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
412: components["responses"]["Error412"]
413: components["responses"]["Error413"]
415: components["responses"]["Error415"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
"delete": { parameters: { query?: {

}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
204: { headers: { [name: string]: unknown }; content?: never }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
422: components["responses"]["Error422"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/conversations/{id}/clocks": {
"get": { parameters: { query?: {
"limit"?: number
"offset"?: number
"select"?: string
}; path: {
"id": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/json": (components["schemas"]["SlaClock"])[]
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/audit": {
"get": { parameters: { query?: {
"after"?: string
"limit"?: string
}; path?: {

}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"application/x-ndjson": string
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/reports/{metric}": {
"get": { parameters: { query: {
"by"?: string
"from": string
"to": string
"timezone"?: string
"channels"?: string
"users"?: string
"touchpoints"?: string
"categories"?: string
"organizations"?: string
}; path: {
"metric": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"text/csv": string
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/users/me/reports/{metric}": {
"get": { parameters: { query?: {
"by"?: string
"from"?: string
"to"?: string
"timezone"?: string
}; path: {
"metric": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"text/csv": string
} }
400: components["responses"]["Error400"]
401: components["responses"]["Error401"]
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
"/v2/attachments/{id}/{name}": {
"get": { parameters: { query: {
"expires": string
"signature": string
}; path: {
"id": string
"name": string
}; header?: {

} }; requestBody?: never; responses: {
200: { headers: { [name: string]: unknown }; content: {
"image/png": unknown
"image/gif": unknown
"image/jpeg": unknown
"image/webp": unknown
"application/pdf": unknown
} }
304: { headers: { [name: string]: unknown }; content?: never }
403: components["responses"]["Error403"]
404: components["responses"]["Error404"]
429: components["responses"]["Error429"]
500: components["responses"]["Error500"]
503: components["responses"]["Error503"]
} }
}
}
