import { Checkbox, Field, NumberInput, SegmentedControl, TextArea, TextInput, useTranslate } from '@parquetry/ui'
import { secretMask, newTunnel, type SshTunnel } from './connection.ts'
import { SecretInput } from './ParameterField.tsx'
import listStyles from '../lists.module.css'
import styles from './connect.module.css'

export interface TunnelFieldsProps {
  tunnel: SshTunnel | null
  errors: Record<string, string>
  onChange(tunnel: SshTunnel | null): void
}

/** The SSH server through which the database is reached. */
export function TunnelFields({ tunnel, errors, onChange }: TunnelFieldsProps) {
  const t = useTranslate()
  const set = (patch: Partial<SshTunnel>) => tunnel && onChange({ ...tunnel, ...patch })
  const isKeyStored = tunnel?.private_key === secretMask
  return (
    <div className={listStyles.form}>
      <Checkbox
        label={t('lists.tunnel.use', 'Connect through an SSH server')}
        help={t('lists.tunnel.useHelp', 'Enter the host and port above as seen from the SSH server.')}
        checked={tunnel !== null}
        onChange={(on) => onChange(on ? newTunnel() : null)}
      />
      {tunnel && (
        <div className={listStyles.two}>
          <Field label={t('lists.tunnel.address', 'SSH server')} required error={errors['ssh_tunnel.server_address']}>
            <TextInput
              value={tunnel.server_address}
              onChange={(server_address) => set({ server_address })}
              spellCheck={false}
              autoCapitalize="none"
            />
          </Field>
          <Field label={t('lists.tunnel.port', 'SSH port')} required error={errors['ssh_tunnel.server_port']}>
            <NumberInput
              integer
              min={1}
              max={65_535}
              value={tunnel.server_port}
              onChange={(server_port) => set({ server_port })}
            />
          </Field>
          <Field label={t('lists.tunnel.username', 'SSH username')} required error={errors['ssh_tunnel.username']}>
            <TextInput
              value={tunnel.username}
              onChange={(username) => set({ username })}
              spellCheck={false}
              autoCapitalize="none"
            />
          </Field>
          <Field group label={t('lists.tunnel.by', 'Sign in with')}>
            <SegmentedControl
              label={t('lists.tunnel.by', 'Sign in with')}
              value={tunnel.by}
              onChange={(by) => set({ by })}
              options={[
                { value: 'password', label: t('lists.tunnel.password', 'Password') },
                { value: 'private_key', label: t('lists.tunnel.key', 'Private key') },
              ]}
            />
          </Field>
          {tunnel.by === 'password' ? (
            <Field
              label={t('lists.tunnel.sshPassword', 'SSH password')}
              required
              error={errors['ssh_tunnel.password'] ?? errors['ssh_tunnel']}
            >
              <SecretInput value={tunnel.password} onChange={(password) => set({ password })} />
            </Field>
          ) : (
            <>
              <div className={styles.wide}>
                <Field
                  label={t('lists.tunnel.key', 'Private key')}
                  required
                  error={errors['ssh_tunnel.private_key'] ?? errors['ssh_tunnel.password'] ?? errors['ssh_tunnel']}
                >
                  <TextArea
                    mono
                    rows={4}
                    spellCheck={false}
                    value={isKeyStored ? '' : tunnel.private_key}
                    placeholder={isKeyStored ? '••••••••' : '-----BEGIN OPENSSH PRIVATE KEY-----'}
                    onChange={(private_key) => set({ private_key })}
                  />
                </Field>
              </div>
              <Field label={t('lists.tunnel.keyPassword', 'Private key password')}>
                <SecretInput
                  value={tunnel.private_key_password}
                  onChange={(private_key_password) => set({ private_key_password })}
                />
              </Field>
            </>
          )}
          {tunnel.host_key !== null && (
            <div className={styles.wide}>
              <Checkbox
                label={t('lists.tunnel.hostKey', 'Only accept a server with the key {key}', { key: tunnel.host_key })}
                help={t(
                  'lists.tunnel.hostKeyHelp',
                  'The SSH server presented this key on the first connection. Clear the checkbox if the server was replaced.',
                )}
                checked
                onChange={() => set({ host_key: null })}
              />
            </div>
          )}
        </div>
      )}
    </div>
  )
}
