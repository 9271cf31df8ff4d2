/** Matches codes of errors about certificates that could not be verified. */
export const certificateErrors = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME|HOSTNAME_MISMATCH/
