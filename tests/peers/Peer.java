// SPDX-License-Identifier: Apache-2.0
// Bouncy Castle's Ascon, SCHWAEMM and ESCH: a request per line, an answer per line, hex, "-" for none.
//   seal NAME KEY NONCE AD TEXT      ciphertext and tag
//   open NAME KEY NONCE AD SEALED    the text, or "refused"
//   hash NAME TEXT                   the digest; 70 bytes of Ascon's extendable outputs
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import org.bouncycastle.crypto.ExtendedDigest;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.Xof;
import org.bouncycastle.crypto.digests.AsconCXof128;
import org.bouncycastle.crypto.digests.AsconHash256;
import org.bouncycastle.crypto.digests.AsconXof128;
import org.bouncycastle.crypto.digests.SparkleDigest;
import org.bouncycastle.crypto.engines.AsconAEAD128;
import org.bouncycastle.crypto.engines.SparkleEngine;
import org.bouncycastle.crypto.modes.AEADCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.util.encoders.Hex;

public final class Peer {
    static byte[] bytes(String hex) {
        return hex.equals("-") ? new byte[0] : Hex.decode(hex);
    }

    static String hex(byte[] bytes, int length) {
        return length == 0 ? "-" : Hex.toHexString(bytes, 0, length);
    }

    static final byte[] CUSTOMIZATION = {'h', 'a', 'n', 'j', 'i', ' ', 'p', 'e', 'e', 'r'};

    static AEADCipher engine(String name) {
        if (name.equals("ASCON_AEAD128")) {
            return new AsconAEAD128();
        }
        return new SparkleEngine(SparkleEngine.SparkleParameters.valueOf(name));
    }

    static ExtendedDigest digest(String name) {
        switch (name) {
            case "ASCON_HASH256":
                return new AsconHash256();
            case "ASCON_XOF128":
                return new AsconXof128();
            case "ASCON_CXOF128":
                return new AsconCXof128(CUSTOMIZATION);
            default:
                return new SparkleDigest(SparkleDigest.SparkleParameters.valueOf(name));
        }
    }

    static String crypt(boolean seal, String[] words) {
        AEADCipher engine = engine(words[1]);
        byte[] key = bytes(words[2]), text = bytes(words[5]);
        int tagBits = 8 * (words[1].endsWith("_192") ? 24 : words[1].endsWith("_256") ? 32 : 16);
        byte[] nonce = bytes(words[3]), ad = bytes(words[4]);
        engine.init(seal, new AEADParameters(new KeyParameter(key), tagBits, nonce, ad));
        byte[] out = new byte[engine.getOutputSize(text.length)];
        int done = engine.processBytes(text, 0, text.length, out, 0);
        try {
            done += engine.doFinal(out, done);
        } catch (InvalidCipherTextException wrongTag) {
            return "refused";
        }
        return hex(out, done);
    }

    static String hash(String[] words) {
        ExtendedDigest digest = digest(words[1]);
        byte[] text = bytes(words[2]), out = new byte[70];
        digest.update(text, 0, text.length);
        if (digest instanceof Xof) {
            return hex(out, ((Xof) digest).doFinal(out, 0, out.length));
        }
        return hex(out, digest.doFinal(out, 0));
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
        PrintStream answers = new PrintStream(System.out, false);
        for (String line; (line = requests.readLine()) != null;) {
            String[] words = line.split(" ");
            boolean seal = words[0].equals("seal");
            answers.println(words[0].equals("hash") ? hash(words) : crypt(seal, words));
        }
        answers.flush();
    }
}
