// SPDX-License-Identifier: Apache-2.0
// Bouncy Castle's SCHWAEMM and ESCH: a request per line, an answer per line, hex, "-" for none.
//   seal NAME KEY NONCE AD TEXT      ciphertext and tag
//   open NAME KEY NONCE AD SEALED    the text, or "refused"
//   hash NAME TEXT                   the digest
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Arrays;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.digests.SparkleDigest;
import org.bouncycastle.crypto.engines.SparkleEngine;
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

    static String crypt(boolean seal, String[] words) {
        SparkleEngine engine = new SparkleEngine(SparkleEngine.SparkleParameters.valueOf(words[1]));
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
        SparkleDigest digest = new SparkleDigest(SparkleDigest.SparkleParameters.valueOf(words[1]));
        byte[] text = bytes(words[2]), out = new byte[digest.getDigestSize()];
        digest.update(text, 0, text.length);
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
