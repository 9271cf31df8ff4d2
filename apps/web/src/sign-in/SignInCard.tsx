import { Banner } from '@parquetry/ui'
import { useState, type ReactNode } from 'react'
import { boot } from '../shared/boot.ts'
import { Logo } from '../shared/Logo.tsx'
import styles from './sign-in.module.css'

const tones: Record<string, 'danger' | 'warning'> = { danger: 'danger', warning: 'warning' }

/** A card of 360 px in the middle of an empty page, with the server's messages above it. */
export function SignInCard({ title, children }: { title: string; children: ReactNode }) {
  const [messages] = useState(() => boot.common.flash_messages.splice(0))
  return (
    <main className={styles.page}>
      <p className={styles.brand}>
        <Logo size={28} />
        Parquetry
      </p>
      <div className={styles.card}>
        <h1>{title}</h1>
        {messages.map(([category, text]) => (
          <Banner key={text} inline tone={tones[category] ?? 'info'}>
            {text}
          </Banner>
        ))}
        {children}
      </div>
    </main>
  )
}
