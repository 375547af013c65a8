import { type LoginItem, LoginItemRefused } from '../login/login-item.ts';

/** The login item of a system that takes changes, unless a test says otherwise. */
export class FakeLoginItem implements LoginItem {
  refuses = false;
  #isOn = false;
  isOn = async () => this.#isOn;
  switch = async (isOn: boolean) => {
    if (this.refuses) throw new LoginItemRefused('The system refuses it.');
    this.#isOn = isOn;
  };
  renew = async () => {};
}
