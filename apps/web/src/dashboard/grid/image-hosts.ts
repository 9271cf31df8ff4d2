import { boot } from '../../shared/boot.ts'

const { IMAGE_HOSTS } = boot.common.conf

/** Hosts whose images are shown beside our own; of others a link stands there. */
export const imageHosts: readonly string[] = Array.isArray(IMAGE_HOSTS) ? IMAGE_HOSTS.map(String) : []
