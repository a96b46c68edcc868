// SPDX-License-Identifier: Apache-2.0
// Bouncy Castle's AIMer v2.1: one request per line, one answer per line, bytes in hex, "-" for none.
//   sign SET SECRET_KEY MESSAGE               the signature
//   verify SET PUBLIC_KEY MESSAGE SIGNATURE   "right" or "wrong"
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.security.SecureRandom;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.pqc.crypto.aimer.AIMerParameters;
import org.bouncycastle.pqc.crypto.aimer.AIMerPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.aimer.AIMerPublicKeyParameters;
import org.bouncycastle.pqc.crypto.aimer.AIMerSigner;
import org.bouncycastle.util.encoders.Hex;

public final class AimerPeer {
    static byte[] bytes(String hex) {
        return hex.equals("-") ? new byte[0] : Hex.decode(hex);
    }

    static AIMerParameters set(String name) throws ReflectiveOperationException {
        return (AIMerParameters) AIMerParameters.class.getField(name).get(null);
    }

    static String answer(String[] words) throws ReflectiveOperationException {
        AIMerSigner signer = new AIMerSigner();
        byte[] key = bytes(words[2]), message = bytes(words[3]);
        if (words[0].equals("sign")) {
            signer.init(true, new ParametersWithRandom(new AIMerPrivateKeyParameters(set(words[1]), key), new SecureRandom()));
            return Hex.toHexString(signer.generateSignature(message));
        }
        signer.init(false, new AIMerPublicKeyParameters(set(words[1]), key));
        return signer.verifySignature(message, bytes(words[4])) ? "right" : "wrong";
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
        PrintStream answers = new PrintStream(System.out, false);
        for (String line; (line = requests.readLine()) != null;)
            answers.println(answer(line.split(" ")));
        answers.flush();
    }
}
