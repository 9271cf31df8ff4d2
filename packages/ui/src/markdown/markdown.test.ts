import { englishTranslator } from '@parquetry/model'
import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { I18nContext } from '../theme/i18n.ts'
import { listExternalImages, formatMarkdownImage, replaceImageUrls } from './images.ts'
import { renderMarkdown } from './render-markdown.ts'

const i18n = { locale: 'en', messages: {}, translate: englishTranslator }

const shown = (text: string, html = true, isolated = false) =>
  renderToStaticMarkup(
    createElement(I18nContext, { value: i18n }, ...renderMarkdown(text, { html, isolated })),
  ).replace(/^(?:<link[^>]*>)*/, '')

const task = (done: boolean) =>
  `<input type="checkbox" disabled="" aria-label="${done ? 'Completed' : 'Open'} task"${done ? ' checked=""' : ''}/>`

describe('GitHub-flavored Markdown', () => {
  it('renders tables with their alignment, strikethrough, task lists and bare addresses', () => {
    expect(shown('| a | b |\n|:--|--:|\n| 1 | ~~2~~ |')).toBe(
      '<table><thead><tr><th align="left">a</th><th align="right">b</th></tr></thead>' +
        '<tbody><tr><td align="left">1</td><td align="right"><del>2</del></td></tr></tbody></table>',
    )
    expect(shown('- [x] done\n- [ ] open\n  1. **in *it***')).toBe(
      `<ul><li>${task(true)} done</li><li>${task(false)} open<ol><li><strong>in <em>it</em></strong></li></ol>\n</li></ul>`,
    )
    expect(shown('See www.example.org or https://example.org/a?b=1&c.')).toBe(
      '<p>See <a href="http://www.example.org" rel="noreferrer">www.example.org</a> or ' +
        '<a href="https://example.org/a?b=1&amp;c" rel="noreferrer">https://example.org/a?b=1&amp;c</a>.</p>',
    )
  })
  it('renders the same without HTML, which is then text in it', () => {
    expect(shown('- [x] <i>done</i>\n\n| a |\n|---|\n| <u>b</u> |', false)).toBe(
      `<ul><li>${task(true)} &lt;i&gt;done&lt;/i&gt;</li></ul>` +
        '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;u&gt;b&lt;/u&gt;</td></tr></tbody></table>',
    )
  })
})

describe('HTML in Markdown', () => {
  it('regression: is rendered, not shown as text', () => {
    expect(shown('A <b>bold</b> word<br>and **another**')).toBe(
      '<p>A <b>bold</b> word<br/>and <strong>another</strong></p>',
    )
    expect(shown('<table><tr><td colspan="2">a</td></tr></table>\n\nafter')).toBe(
      '<table><tr><td colSpan="2">a</td></tr></table><p>after</p>',
    )
    expect(shown('<img src="/static/logo.png" alt="Logo" width=40>')).toBe(
      '<img src="/static/logo.png" alt="Logo" width="40" loading="lazy" decoding="async"/>',
    )
  })
  it('is shown as text if the feature flags disable it', () => {
    expect(shown('A <b>word</b>', false)).toBe('<p>A &lt;b&gt;word&lt;/b&gt;</p>')
    expect(shown('<p>x</p>', false)).toBe('<p>&lt;p&gt;x&lt;/p&gt;</p>')
  })
  it('hostile: an image of a foreign host becomes a link unless the host is listed', () => {
    const text = '<img src="https://img.example.org/x.png?who=me" alt="Plan">'
    const of = (imageHosts: string[], from = text) =>
      renderToStaticMarkup(createElement(Fragment, {}, ...renderMarkdown(from, { html: true, imageHosts }))).replace(
        /^(?:<link[^>]*>)*/,
        '',
      )
    expect(of([])).toBe(
      '<a href="https://img.example.org/x.png?who=me" rel="noreferrer" target="_blank">Plan (img.example.org)</a>',
    )
    expect(of(['IMG.example.org'])).toContain('<img src="https://img.example.org/x.png?who=me" alt="Plan" ')
    expect(of(['example.org'])).not.toContain('<img')
    for (const src of [
      '//evil.example/x.png',
      String.raw`/\evil.example/x.png`,
      String.raw`https:\\evil.example/x.png`,
      '/\t/evil.example/x.png',
      'ht\ntps://evil.example/x.png',
    ])
      expect(of([], `<img src="${src}">`), src).not.toMatch(/<img[^>]*evil/)
    expect(of([], '<img src="/static/logo.png">')).toContain('<img src="/static/logo.png" ')
  })
  it('may contain Markdown', () => {
    expect(shown('<div align="center">\n\n## Title\n\n</div>')).toBe('<div align="center"><h3>Title</h3></div>')
    expect(shown('Use `<div>` here & there')).toBe('<p>Use <code>&lt;div&gt;</code> here &amp; there</p>')
  })

  it.each([
    ['<script>alert(1)</script>', ''],
    ['<SCRIPT\nsrc=//evil>x</SCRIPT >y', 'y'],
    ['<img src=x onerror=alert(1)>', '<img loading="lazy" decoding="async"/>'],
    ['<a href="javascript:alert(1)" onclick="x()">go</a>', '<p><a rel="noreferrer">go</a></p>'],
    ['<a href="java&#115;cript:alert(1)">go</a>', '<p><a rel="noreferrer">go</a></p>'],
    ['<iframe src="https://evil">in</iframe>', ''],
    ['<b style="position:fixed" class="x" id="y">z</b>', '<p><b>z</b></p>'],
    ['<svg><script>alert(1)</script></svg>', '<p></p>'],
    ['<form action="/x"><u>in</u></form>', '<u>in</u>'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;<b>x</b>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;<b>x</b></p>'],
    ['<b>never closed', '<p><b>never closed</b></p>'],
    ['<input type="checkbox" checked onclick="x()" name="y">', task(true)],
    ['<input name="password" value="x">a', '<p>a</p>'],
    [
      '[a](javascript:alert(1)) [b](/c "d")',
      '<p>[a](javascript:alert(1)) <a href="/c" title="d" rel="noreferrer">b</a></p>',
    ],
    ['```<b>x\n<img src=x onerror=y>\n```', '<pre><code>&lt;img src=x onerror=y&gt;\n</code></pre>'],
    ['</b></div>before', '<p>before</p>'],
    ['<!-- a comment -->', ''],
    ['1 < 2 > 0', '<p>1 &lt; 2 &gt; 0</p>'],
    ['<b constructor="x" __proto__="y">z</b>', '<p><b>z</b></p>'],
  ])('is sanitized: %s', (text, html) => {
    expect(shown(text)).toBe(html)
  })
})

describe('images', () => {
  const file = `/api/v1/dashboard/7/files/${'a'.repeat(64)}`
  const of = (text: string, imageHosts: string[] = [], html = true) =>
    renderToStaticMarkup(createElement(Fragment, {}, ...renderMarkdown(text, { html, imageHosts })))
      .replace(/^(?:<link[^>]*>)*/, '')
      .replaceAll(' loading="lazy" decoding="async"', '')
  it('are shown even without HTML, with the size given in the address', () => {
    expect(of(`A ![Plan](${file}#640x480) b`, [], false)).toBe(
      `<p>A <img width="640" height="480" src="${file}#640x480" alt="Plan"/> b</p>`,
    )
    expect(of(`![](${file} "Floor 2")`)).toBe(`<p><img src="${file}" alt="" title="Floor 2"/></p>`)
    expect(of(`<img src="${file}#640x480" width=320>`)).toBe(`<img src="${file}#640x480" width="320"/>`)
    expect(of(`[![Plan](${file})](https://example.org/)`)).toBe(
      `<p><a href="https://example.org/" rel="noreferrer"><img src="${file}" alt="Plan"/></a></p>`,
    )
    expect(of(`- a\n- ![b](${file})`)).toBe(`<ul><li>a</li><li><img src="${file}" alt="b"/></li></ul>`)
  })
  it('hostile: foreign images become links, and script addresses are not rendered', () => {
    expect(of('![Plan](https://evil.example/x.png)')).toBe(
      '<p><a href="https://evil.example/x.png" rel="noreferrer" target="_blank">Plan (evil.example)</a></p>',
    )
    expect(of('<div>\n\n![Plan](https://evil.example/x.png)\n\n</div>')).not.toContain('<img')
    expect(of('> ![Plan](https://evil.example/x.png)')).not.toContain('<img')
    expect(of('![Plan](https://good.example/x.png)', ['good.example'])).toContain('<img')
    expect(of('![x](javascript:alert(1))')).toBe('<p>![x](javascript:alert(1))</p>')
    expect(of('![x](data:image/png;base64,AA)')).not.toContain('<img')
    expect(of('![x](//evil.example/y)')).not.toContain('<img')
    expect(of('![" onerror="x](/y)')).toBe('<p><img src="/y" alt="&quot; onerror=&quot;x"/></p>')
  })
  it('finds foreign image addresses and replaces them', () => {
    const text = [
      '![a](https://a.example/a.png) ![b](/static/b.png) <img alt="c" src="https://c.example/c.png?x=1&y">',
      '`![no](https://code.example/x.png)` [link](https://link.example/x.png) ![d](https://d.example/d.png "D")',
      '```\n![no](https://code.example/x.png)\n```\n![a](https://a.example/a.png) ![e](javascript:x)',
    ].join('\n')
    expect(listExternalImages(text, ['D.example'])).toEqual([
      'https://a.example/a.png',
      'https://c.example/c.png?x=1&y',
    ])
    const replaced = replaceImageUrls(
      text,
      new Map([
        ['https://a.example/a.png', '/A'],
        ['https://code.example/x.png', '/C'],
      ]),
    )
    expect(replaced).toBe(text.replaceAll('https://a.example/a.png', '/A'))
    expect(formatMarkdownImage('A [b]\n c', '/A')).toBe('![A b c](/A)')
  })
})

it('regression: ignores underscores within words, and decodes entities in text without tags', () => {
  expect(shown('order_line_id, _stressed_')).toBe('<p>order_line_id, <em>stressed</em></p>')
  expect(shown('Fish &amp; Chips')).toBe('<p>Fish &amp; Chips</p>')
})

describe('HTML in its own shadow root', () => {
  const isolated = (text: string) => shown(text, true, true)
  it('keeps classes, ids and styles', () => {
    expect(isolated('<p class="a b" id="c" style="width: 40%; --own: 1px; background-color: red">x</p>')).toBe(
      '<p class="a b" id="c" style="width:40%;--own:1px;background-color:red">x</p>',
    )
    expect(isolated('<i style="background: url(data:image/png;base64,AA); color: red">x</i>')).toBe(
      '<i style="background:url(data:image/png;base64,AA);color:red">x</i>',
    )
  })
  it('contains no Markdown between its tags, regardless of the data', () => {
    expect(isolated('<ul>\n\n<li>a *b* c\n\n# d</li></ul>')).toBe('<ul>\n\n<li>a *b* c\n\n# d</li></ul>')
  })
  it('runs no scripts', () => {
    expect(isolated('<b onclick="x()" style="x">y</b><script>z</script>')).toBe('<b>y</b>')
    expect(isolated('<a href="javascript:x()">y</a>')).toBe('<a rel="noreferrer">y</a>')
  })
})

it('regression: malicious text is rendered quickly and does not break the page', () => {
  const many = 20_000
  for (const text of [
    '<div>\n\n'.repeat(many),
    '<div><!--\n\n'.repeat(many),
    '<div>'.repeat(many) + '</b>'.repeat(many),
    '>'.repeat(many),
    '['.repeat(many * 4),
    '[a]('.repeat(many),
    '![a]('.repeat(many),
    '[![a]('.repeat(many),
    '![a](b "'.repeat(many),
    '*'.repeat(many) + 'a' + '*'.repeat(many),
    '_a*b'.repeat(many),
    '1. '.repeat(many),
    `${'a|'.repeat(many)}\n${'-|'.repeat(many)}`,
  ]) {
    // CPU time, because wall-clock time would include other processes.
    const before = process.threadCpuUsage()
    shown(text, true, true)
    expect(process.threadCpuUsage(before).user, text.slice(0, 20)).toBeLessThan(3_000_000)
  }
})

it('an element continues across blank lines, even inside tags and comments', () => {
  expect(shown('<div>\n\n<i\n\ntitle="a">b</i>\n\n</div>\n\n**c**', true, true)).toMatch(/<\/div>.*<strong>c/s)
  expect(shown('<div><!-- </div>\n\n --></div>\n\n**c**', true, true)).toMatch(/<\/div>.*<strong>c/s)
})
