import { Section } from '../../parts/Section.tsx';
import { SignInForm } from './SignInForm.tsx';

/** In the place of what only a signed-in user may do, or above it. */
export const SignInCard = ({ to }: { readonly to: string }) => (
  <Section title={`Sign in to ${to}`}>
    <SignInForm />
  </Section>
);
