import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { AttachmentLinks } from '../../src/modules/attachments/attachment-links.js'
import { typeOfContent, type AttachmentType } from '../../src/modules/attachments/content-type.js'
import { contentDisposition, safeFileName } from '../../src/modules/attachments/file-name.js'

describe('the type of a content', () => {
  it.each([
    ['89504e470d0a1a0a0000000d', 'image/png'],
    ['474946383961010001008000', 'image/gif'],
    ['474946383761010001008000', 'image/gif'],
    ['ffd8ffe000104a4649460001', 'image/jpeg'],
    ['524946462400000057454250', 'image/webp'],
    ['255044462d312e370a25e2e3', 'application/pdf'],
    ['524946462400000057415645', null],
    ['3c68746d6c3e3c736372697074', null],
    ['3c73766720786d6c6e733d22', null],
    ['504b030414000000', null],
    ['4d5a900003000000', null],
    ['2020255044462d312e370a25', null],
    ['', null],
    ['89', null],
  ])('%s is %s', (head, type) => {
    expect(typeOfContent(Buffer.from(head, 'hex'))).toBe(type)
  })
})

describe('the name of an attachment', () => {
  const names: [given: string | undefined, type: AttachmentType, safe: string][] = [
    ['photo.png', 'image/png', 'photo.png'],
    ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
    ['photo.jpg', 'image/jpeg', 'photo.jpg'],
    ['page.html', 'image/png', 'page.html.png'],
    ['report', 'application/pdf', 'report.pdf'],
    ['../../etc/passwd', 'image/gif', 'passwd.gif'],
    ['C:\\Users\\me\\x.png', 'image/png', 'x.png'],
    ['/', 'image/png', 'attachment.png'],
    ['', 'image/png', 'attachment.png'],
    [undefined, 'image/webp', 'attachment.webp'],
    ['..png', 'image/png', 'png.png'],
    ['a\r\nSet-Cookie: x.png', 'image/png', 'aSet-Cookie_ x.png'],
    ['evil\u202egnp.exe', 'image/png', 'evilgnp.exe.png'],
    ['facture été.pdf', 'application/pdf', 'facture été.pdf'],
  ]
  it.each(names)('%j of type %s is %j', (given, type, safe) => {
    expect(safeFileName(given, type)).toBe(safe)
  })

  it('has the extension of its type, contains no path and has at most 150 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = safeFileName(given, 'image/png')
        expect(name.toLowerCase()).toMatch(/[^/\\\p{Cc}]\.png$/u)
        expect(name).not.toMatch(/[/\\\p{Cc}]/u)
        expect([...name].length).toBeLessThanOrEqual(150)
        expect(safeFileName(name, 'image/png')).toBe(name)
      }),
    )
  })

  it('fits into a header, in ASCII and whole', () => {
    expect(contentDisposition('été "1".png', 'image/png')).toBe(
      `inline; filename="_t_ _1_.png"; filename*=UTF-8''%C3%A9t%C3%A9%20%221%22.png`,
    )
    expect(contentDisposition('a.pdf', 'application/pdf')).toBe(`attachment; filename="a.pdf"; filename*=UTF-8''a.pdf`)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(contentDisposition(safeFileName(name, 'image/gif'), 'image/gif')).toMatch(/^[\x20-\x7e]+$/)
      }),
    )
  })
})

describe('a link to an attachment', () => {
  const start = Date.parse('2026-01-01T10:20:30Z')
  let now = new Date(start)
  const options = { days: 7, publicUrl: 'https://chat.example', clock: { now: () => now } }
  const links = new AttachmentLinks({ ...options, secret: Buffer.alloc(32, 1) })
  const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams)

  it('is the same for an hour, and valid for its days', () => {
    now = new Date(start)
    const url = links.urlOf('id-1', 'a photo été.png')
    expect(url).toMatch(
      /^https:\/\/chat\.example\/v2\/attachments\/id-1\/a_photo_t_\.png\?expires=\d+&signature=[\w-]{43}$/,
    )
    now = new Date(start + 30 * 60_000)
    expect(links.urlOf('id-1', 'a photo été.png')).toBe(url)
    now = new Date(start + 7 * 86_400_000)
    expect(links.check('id-1', queryOf(url))).toBeGreaterThan(0)
    now = new Date(start + 7 * 86_400_000 + 3_600_000)
    expect(() => links.check('id-1', queryOf(url))).toThrow('the link has expired')
  })

  it('is valid for one attachment of one installation, and not a second longer', () => {
    now = new Date(start)
    const { expires, signature } = queryOf(links.urlOf('id-1', 'a.png'))
    const others = new AttachmentLinks({ ...options, secret: Buffer.alloc(32, 2) })
    const forged = [
      ['id-2', { expires, signature }],
      ['id-1', { expires: String(Number(expires) + 1), signature }],
      ['id-1', { expires, signature: `${signature}x` }],
      ['id-1', { expires, signature: signature!.replace(/.$/, '!') }],
      ['id-1', { expires }],
      ['id-1', { signature }],
      ['id-1', {}],
      ['id-1', { expires: ['1', expires], signature }],
      ['id-1', queryOf(others.urlOf('id-1', 'a.png'))],
      ['id-1', { expires: '', signature }],
      ['id-1', { expires: '-1', signature }],
    ] as const
    for (const [id, query] of forged) expect(() => links.check(id, query)).toThrow('the link is invalid')
    expect(links.check('id-1', { expires, signature })).toBeGreaterThan(7 * 86_400)
  })
})
