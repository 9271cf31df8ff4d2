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

/** What the server wrote into the page; the slot itself when the page comes from the Vite server. */
export const boot: Boot = text.startsWith('{') ? (JSON.parse(text) as Boot) : anonymous
