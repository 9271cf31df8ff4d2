import type { Boot } from '@parquetry/model/boot'

const text = document.getElementById('boot')?.textContent.trim() ?? ''

const anonymous: Boot = {
  user: { isActive: false, isAnonymous: true, roles: {}, permissions: {} },
  common: {
    conf: {},
    locale: 'en',
    feature_flags: {},
    menu_data: { menu: [], navbar_right: {}, brand: {} },
    flash_messages: [],
  },
}

/** Data that the server writes into the page; the anonymous default on the Vite server, which leaves the placeholder. */
export const boot: Boot = text.startsWith('{') ? (JSON.parse(text) as Boot) : anonymous
