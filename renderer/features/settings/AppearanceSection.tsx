import { Segments } from '../../parts/forms/Segments.tsx';
import { themes, useTheme } from '../../parts/use-theme.ts';

/** Chooses the theme, as the button in the rail does. */
export function AppearanceSection() {
  const { theme, choose } = useTheme();
  return (
    <section className="card stack" aria-labelledby="appearance">
      <h2 id="appearance">Appearance</h2>
      <p className="muted">The theme of the dashboard, in this browser. System follows your desktop.</p>
      <Segments legend="Theme" name="theme" choices={themes} chosen={theme} onChoose={choose} />
    </section>
  );
}
