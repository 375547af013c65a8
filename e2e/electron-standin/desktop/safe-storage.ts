/** `safeStorage`: of a system that has no keychain. */
const none = (): never => {
  throw new Error('Encryption is not available.');
};

export const safeStorage = {
  isEncryptionAvailable: () => false,
  getSelectedStorageBackend: () => 'basic_text',
  encryptString: none,
  decryptString: none,
};
