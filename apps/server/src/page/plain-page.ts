import { type Boot, pagePlaceholders } from '@parquetry/model'

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** Fallback page while the web app is not built: enough to sign in, sign out and set a password. */
export function plainPage({ user, common }: Boot): string {
  const messages = common.flash_messages.map(([, text]) => `<p role="alert">${escape(text)}</p>`).join('')
  const link = common['one_time_link'] as { username: string } | undefined
  const token = `<input type="hidden" id="csrf_token" name="csrf_token" value="${pagePlaceholders.csrf}">`
  const name = link
    ? `<p>${escape(link.username)}</p>`
    : '<p><label>Username <input name="username" autocomplete="username" autofocus></label></p>'
  const form = `<form method="post">${token}${name}
<p><label>Password <input name="password" type="password" autocomplete="${link ? 'new-password' : 'current-password'}"></label></p>
<p><button>${link ? 'Set your password' : 'Sign in'}</button></p></form>`
  const body =
    user.isAnonymous || link ? form : `${token}<p>${escape(user.username ?? '')} · <a href="/logout/">Sign out</a></p>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parquetry</title>
<script type="application/json" id="boot">${pagePlaceholders.boot}</script></head>
<body><h1>Parquetry</h1>${messages}${body}<p>The web app is not built. Run <code>npm start</code>.</p></body></html>`
}
